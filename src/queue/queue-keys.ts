/** The names of the keys of one run. Its id stands in braces, so that a cluster keeps them all on one node. */
export interface RunKeys {
  /** Begins the names of all keys of the run, also of BullMQ's. */
  prefix: string;
  /** Hash: the ticket of the run, its state, its limits and what it has spent. */
  run: string;
  /** Hash, item -> outcome. */
  done: string;
  /** Hash, item -> the word of the fence of the attempt that counts; `<item>/told` -> how many events it has sent. */
  attempts: string;
  /** Hash, item -> what cleaning up after the attempt needs that has not ended, as JSON; empty: nothing. */
  open: string;
  /** List: items that run one after the other. */
  sequence: string;
  /** List: items that run in parallel, when the sequence is done. */
  parallel: string;
  /** Stream: events of workers, until the coordinator has written them. */
  events: string;
  /** Hash: what workers found in their preflight, which of them take part, and why others do not. */
  setup: string;
  /** Text: the name of the process that reads the events. It expires unless that process renews it. */
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

  /** Sorted set: ids of workers by when they last reported. */
  get workers(): string {
    return `${this.prefix}:workers`;
  }

  worker(id: string): string {
    return `${this.prefix}:worker:${id}`;
  }

  /** Channel: the id of a run about which something is new. */
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

/** BullMQ's names for keys that never expire by themselves, besides those of jobs. */
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

/** BullMQ's notes of a queue. Any request makes them if they are missing, also that of a worker that comes too late. */
const metaName = 'meta';

/** BullMQ uses the expiry of these keys as a timer, which must not be changed. */
const timerNames = ['limiter', 'stalled-check'];

/** Lists the keys that BullMQ makes for the queues of a run, and that stay unless they are made to expire. */
export function listLastingBullKeys(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return listKeys(run, queues, [...names, metaName]);
}

/** Lists the keys that are of no use when the run is over: all but BullMQ's notes, which late workers would make again. */
export function listBullKeysToRemove(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return listKeys(run, queues, [...names, ...timerNames]);
}

/** Lists BullMQ's notes of each queue: they have to exist before the first request, and a while after the run. */
export function listQueueNotes(run: RunKeys, queues: readonly { name: string }[]): string[] {
  return listKeys(run, queues, [metaName]);
}

/** Gives the key in which BullMQ notes which worker has a job. It expires with the lease. */
export function getLockKey({ prefix }: RunKeys, queue: string, job: string): string {
  return `${prefix}:${queue}:${job}:lock`;
}

function listKeys(
  { prefix }: RunKeys,
  queues: readonly { name: string }[],
  wanted: readonly string[],
): string[] {
  return queues.flatMap((queue) => wanted.map((name) => `${prefix}:${queue.name}:${name}`));
}
