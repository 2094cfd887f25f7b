import type { RunKeys } from './queue-keys.js';

/**
 * What BullMQ calls its keys, besides those that have an end of their own: of jobs, and `limiter` and
 * `stalled-check`. As long as the latter is there, nobody looks for jobs of workers that are lost.
 */
const names = [
  'active',
  'completed',
  'delayed',
  'events',
  'failed',
  'id',
  'marker',
  'meta',
  'paused',
  'pc',
  'prioritized',
  'stalled',
  'wait',
  'waiting-children',
];

/** The keys that BullMQ makes for the queues of a run. */
export function bullKeysOf(
  { prefix }: RunKeys,
  queues: readonly { name: string }[],
): readonly string[] {
  return queues.flatMap((queue) => names.map((name) => `${prefix}:${queue.name}:${name}`));
}
