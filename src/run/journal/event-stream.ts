import type { EventBody, EventSink, JournalEvent } from '../../journal/event.js';

/** Where events are written: a file, or a queue that another process reads. */
export interface Journal extends EventSink {
  /** The time for an event that is written now. */
  readClock(): string;
  /** `at` is given for an event of another process, by that process's clock. */
  write(event: EventBody, at?: string): number;
  /** Settles when all events so far are written. Rejects if they could not be. */
  flush(): Promise<void>;
}

/**
 * Called with each event as soon as the journal has accepted it, which may be before it is in the file. The event is
 * not redacted.
 */
export type EventListener = (event: JournalEvent) => void;

/**
 * Writes every event of a run to the journal, then calls the listener and followers with it. It is only the writing end:
 * what programs read with `startEval().events` is the library's EventQueue, which is filled by the listener.
 */
export class EventStream implements EventSink {
  readonly #journal: Journal;
  readonly #listener: EventListener;
  /** By the name of the attempt that they follow. */
  readonly #followers = new Map<string, EventListener>();
  /** `mcp-call` events so far. */
  calls = 0;

  constructor(journal: Journal, listener: EventListener) {
    this.#journal = journal;
    this.#listener = listener;
  }

  write(body: EventBody, at = this.#journal.readClock()): number {
    const seq = this.#journal.write(body, at);
    // Messages are by far the most, and only the journal needs them.
    if (body.type === 'mcp-message') return seq;
    if (body.type === 'mcp-call') this.calls += 1;
    const event: JournalEvent = { ...body, seq, at };
    if ('taskRun' in body && body.taskRun !== undefined) {
      this.#followers.get(body.taskRun)?.(event);
    }
    this.#listener(event);
    return seq;
  }

  /** Calls the follower with the events of one attempt, until the returned function is called. */
  follow(attempt: string, follower: EventListener): () => void {
    this.#followers.set(attempt, follower);
    return () => this.#followers.delete(attempt);
  }

  pressure(): Promise<void> | undefined {
    return this.#journal.pressure();
  }

  /**
   * Settles when the operating system (no fsync) or, on a worker, the queue has everything so far. Never rejects: the
   * journal reports its failures in another way, JournalWriter to `onFailure`.
   */
  async flush(): Promise<void> {
    await this.#journal.flush().catch(() => {});
  }

  redact(text: string): string {
    return this.#journal.redact(text);
  }
}
