import { plural } from '../../base/text.js';
import { formatLabels, type Labels } from '../../plan/labels.js';

/** Who does the task runs of a check at the moment, where workers do. */
export interface WorkersNow {
  /** Names of those that have answered before, and do not any more. */
  gone: readonly string[];
  /** How many take part. */
  workers: number;
  /** How many task runs they do at once, all together. */
  slots: number;
  /** Task runs that wait for labels that none of them has. */
  unserved: readonly { waiting: number; labels: Labels }[];
}

export function workersText({ workers, slots }: WorkersNow): string {
  if (workers === 0) return 'no worker takes part: start one with proctor worker --queue';
  return `${plural(workers, 'worker')}, ${plural(slots, 'task run')} at once`;
}

export function unservedText({ waiting, labels }: WorkersNow['unserved'][number]): string {
  const verb = waiting === 1 ? 'waits' : 'wait';
  return `${plural(waiting, 'task run')} ${verb} for a worker with ${formatLabels(labels)}`;
}
