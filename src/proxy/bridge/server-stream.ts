import type { Connection } from './connection.js';
import { EventFeed, StreamRefused } from './event-feed.js';

/** Messages that the server sends of its own accord (stateful era): a GET that stays open. */
export class ServerStream {
  readonly #controller = new AbortController();

  async run(connection: Connection): Promise<void> {
    const { signal } = this.#controller;
    try {
      const failure = await new EventFeed(connection).follow(() => true, signal);
      // A server need not have one.
      if (failure === undefined || failure instanceof StreamRefused) return;
      connection.note(`gave up on messages of the server's own accord: ${failure.message}`);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  close(): void {
    this.#controller.abort();
  }
}
