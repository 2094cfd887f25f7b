/** The names of keys of one run. Its id stands in braces: in a cluster they are all at one place. */
export interface RunKeys {
  /** Begins the names of all keys of the run, also of BullMQ's. */
  prefix: string;
  /** Hash: the state of the run, and what it came to so far. */
  run: string;
  /** Hash, item -> outcome. */
  done: string;
  /** Hash, item -> the attempt that counts. */
  attempts: string;
  /** Hash, item -> what is known of the attempt that is under way. */
  open: string;
  /** List: items that run one after the other. */
  sequence: string;
  /** List: items that run beside each other, when those are done. */
  parallel: string;
  /** Stream: events of workers, until the coordinator has them. */
  events: string;
  /** Hash: what workers found when they prepared for the run. */
  setup: string;
  /** Text: who reads the events, for as long as he is taken to be there. */
  coordinator: string;
}

export class QueueKeys {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Sorted set: ids of runs by when they began. */
  get runs(): string {
    return `${this.prefix}:runs`;
  }

  /** Sorted set: ids of workers by when they were heard of. */
  get workers(): string {
    return `${this.prefix}:workers`;
  }

  worker(id: string): string {
    return `${this.prefix}:worker:${id}`;
  }

  /** Channel: that there is something new to do. */
  get news(): string {
    return `${this.prefix}:news`;
  }

  ofRun(id: string): RunKeys {
    const prefix = `${this.prefix}:{${id}}`;
    return {
      prefix,
      run: `${prefix}:run`,
      done: `${prefix}:done`,
      attempts: `${prefix}:attempts`,
      open: `${prefix}:open`,
      sequence: `${prefix}:sequence`,
      parallel: `${prefix}:parallel`,
      events: `${prefix}:events`,
      setup: `${prefix}:setup`,
      coordinator: `${prefix}:coordinator`,
    };
  }
}

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

/** The keys that BullMQ makes for the queues of a run, and that stay unless they are given an end. */
export function listLastingBullKeys(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return keysOf(run, queues, [...names, metaName]);
}

/** The keys that are of no use when the run is over. */
export function listBullKeysToRemove(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return keysOf(run, queues, [...names, ...namesWithEnd]);
}

/** What it notes of each queue: it has to be there before the first job is asked for, and a while longer. */
export function notesOfQueues(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return keysOf(run, queues, [metaName]);
}

/** Where BullMQ notes, for as long as its lease lasts, whose a job is. */
export function getLockKey({ prefix }: RunKeys, queue: string, job: string): string {
  return `${prefix}:${queue}:${job}:lock`;
}

function keysOf(
  { prefix }: RunKeys,
  queues: readonly { name: string }[],
  wanted: readonly string[],
): string[] {
  return queues.flatMap((queue) => wanted.map((name) => `${prefix}:${queue.name}:${name}`));
}
