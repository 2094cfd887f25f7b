/** The names of keys of one run. Its id stands in braces: in a cluster they are all at one place. */
export interface RunKeys {
  /** Of the names of all of them, and of BullMQ's. */
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
  /** Stream: what workers tell, until the coordinator has it. */
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
