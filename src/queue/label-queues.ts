import { createHash } from 'node:crypto';
import { hasLabels, type Labels } from '../plan/labels.js';

/** Task runs that ask for the same of a worker wait in one queue. */
export interface LabelQueue {
  name: string;
  /** What a worker must have to take something out of it. */
  labels: Labels;
}

export function labelQueueFor(labels: Labels): LabelQueue {
  const sorted = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1));
  if (sorted.length === 0) return { name: 'any', labels: {} };
  const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
  return { name: `with-${digest.slice(0, 16)}`, labels: Object.fromEntries(sorted) };
}

/** The queue of each set of labels, once. */
export function labelQueuesFor(all: Iterable<Labels>): LabelQueue[] {
  const queues = [...all].map(labelQueueFor);
  return [...new Map(queues.map((queue) => [queue.name, queue])).values()];
}

/** Those that a worker with these labels may take something out of. */
export function queuesOpenTo(labels: Labels, queues: readonly LabelQueue[]): LabelQueue[] {
  return queues.filter((queue) => hasLabels(labels, queue.labels));
}
