import type { EventBody, EventSink, JournalEvent } from '../../journal/event.js';

/** Where events go: a file, or a queue that another process reads. */
export interface Journal extends EventSink {
  /** `at` is given for what another process saw, by its clock. */
  write(event: EventBody, at?: string): number;
  /** Rejects if they could not be written. */
  flush(): Promise<void>;
}

/** Called with an event after it was written to the journal, with its secrets. */
export type EventListener = (event: JournalEvent) => void;

/** Every event of a run passes here: into the journal, and to listeners. */
export class EventStream implements EventSink {
  readonly #journal: Journal;
  readonly #listener: EventListener;
  readonly #followers = new Map<string, EventListener>();
  /** `mcp-call` events so far. */
  calls = 0;

  constructor(journal: Journal, listener: EventListener) {
    this.#journal = journal;
    this.#listener = listener;
  }

  write(body: EventBody, at?: string): number {
    const seq = this.#journal.write(body, at);
    // Messages are by far the most, and only the journal needs them.
    if (body.type === 'mcp-message') return seq;
    if (body.type === 'mcp-call') this.calls += 1;
    const event: JournalEvent = { ...body, seq, at: at ?? new Date().toISOString() };
    if ('taskRun' in body && body.taskRun !== undefined) {
      this.#followers.get(body.taskRun)?.(event);
    }
    this.#listener(event);
    return seq;
  }

  /** Calls the follower with the events of one task run, until the returned function is called. */
  follow(taskRun: string, follower: EventListener): () => void {
    this.#followers.set(taskRun, follower);
    return () => this.#followers.delete(taskRun);
  }

  pressure(): Promise<void> | undefined {
    return this.#journal.pressure();
  }

  /**
   * Settles when everything so far is with the operating system (no fsync), or on a worker with the queue. Never
   * rejects: what keeps the journal reports failures itself, a file to `onFailure`.
   */
  async flush(): Promise<void> {
    await this.#journal.flush().catch(() => {});
  }

  redact(text: string): string {
    return this.#journal.redact(text);
  }
}
