import type { RunKeys } from './queue-keys.js';

/** What BullMQ calls its keys, besides those of jobs, which have their own end. */
const names = [
  'active',
  'completed',
  'delayed',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'paused',
  'pc',
  'prioritized',
  'stalled',
  'stalled-check',
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
