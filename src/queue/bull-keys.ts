import type { RunKeys } from './queue-keys.js';

/** What BullMQ calls its keys that have no end, besides those of jobs. */
const names = [
  'active',
  'completed',
  'delayed',
  'events',
  'failed',
  'id',
  'marker',
  'paused',
  'pc',
  'prioritized',
  'stalled',
  'wait',
  'waiting-children',
];

/** Written by whatever is asked of a queue, if it is not there: also by a worker that comes too late. */
const metaName = 'meta';

/** By their own short end BullMQ knows that it is time again: to give them another would stop it. */
const namesWithEnd = ['limiter', 'stalled-check'];

/** The keys that BullMQ makes for the queues of a run, and that stay if nobody gives them an end. */
export function lastingBullKeys(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return keysOf(run, queues, [...names, metaName]);
}

/** Those that nobody needs when the run is over. */
export function bullKeysToRemove(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return keysOf(run, queues, [...names, ...namesWithEnd]);
}

/** What it notes of each queue: it has to be there before anybody asks for anything, and a while longer. */
export function notesOfQueues(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return keysOf(run, queues, [metaName]);
}

/** Where BullMQ notes, for as long as its lease lasts, whose a job is. */
export function lockKeyOf({ prefix }: RunKeys, queue: string, job: string): string {
  return `${prefix}:${queue}:${job}:lock`;
}

function keysOf(
  { prefix }: RunKeys,
  queues: readonly { name: string }[],
  wanted: readonly string[],
): string[] {
  return queues.flatMap((queue) => wanted.map((name) => `${prefix}:${queue.name}:${name}`));
}
