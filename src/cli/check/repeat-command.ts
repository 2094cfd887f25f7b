import { defaultPrefix, type QueueAddress } from '../../queue/queue-address.js';
import { type CheckOptions, recordOptions } from '../../run/session/check-options.js';

/**
 * The words of a command line that would run the same again, for people to paste. Which task runs failed is
 * not part of it; in place of `--runs auto` stands the largest number of runs that there can be.
 */
export function formatOptionWords(options: CheckOptions): string[] {
  const recorded = recordOptions(options, {});
  const { 'rerun-failed': _, 'runs-width': __, 'runs-max': most, shard, ...others } = recorded;
  // With a number of runs, a plan would be cut in another way than with --runs auto.
  const all =
    most === undefined ? { ...others, ...(shard && { shard }) } : { ...others, runs: most };
  const words = Object.entries(all).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((single) => [`--${name}`, String(single)]);
  });
  const { shardDurations } = options;
  return shardDurations.length > 0 && most === undefined
    ? [...words, '--shard-durations', ...shardDurations]
    : words;
}

/** The words that say where a run handed to workers is, and where its results go. */
export function formatPlaceWords(
  out: string | undefined,
  queue: QueueAddress | undefined,
): string[] {
  return [
    ...(out === undefined ? [] : ['--out', out]),
    ...(queue ? ['--queue', queue.shown] : []),
    ...(queue && queue.prefix !== defaultPrefix ? ['--queue-prefix', queue.prefix] : []),
  ];
}
