import { hash } from 'node:crypto';
import type { BoundedMap } from '../bounded-map.js';
import { idKey, type Message } from '../message.js';
import type { OpenRequest } from '../record/open-request.js';
import type { Party, ServerLog } from '../record/server-log.js';

/** What is known of one agent's session with an HTTP server; of a stateless request, of that one. */
export class RelaySession {
  readonly #log: ServerLog;
  readonly #party: Party;
  /** Requests without an answer. It may come on any stream of the session. */
  readonly #open = new Map<string, OpenRequest>();
  readonly #seenEvents: BoundedMap<string, true>;

  /** The seen events are those of all sessions: their number is bounded, that of sessions is not. */
  constructor(log: ServerLog, party: Party, seenEvents: BoundedMap<string, true>) {
    this.#log = log;
    this.#party = party;
    this.#seenEvents = seenEvents;
  }

  /** Records what the agent sends. Of a request it returns the key by which it can be asked for. */
  sent(message: Message): string | undefined {
    if (message.kind === 'request') {
      const key = idKey(message);
      this.#open.set(key, this.#log.request(message, this.#party));
      return key;
    }
    this.#log.message('to-server', message, this.#party);
    if (message.method === 'notifications/cancelled') {
      const key = JSON.stringify(message.params.requestId);
      this.#open.get(key)?.cancelled();
    }
    return undefined;
  }

  /** Records what the server sends. */
  received(message: Message): void {
    const key = message.kind === 'response' ? idKey(message) : undefined;
    const request = key === undefined ? undefined : this.#open.get(key);
    if (request === undefined || key === undefined) {
      this.#log.message('to-agent', message, this.#party);
      return;
    }
    this.#open.delete(key);
    request.answered(message);
  }

  /**
   * Whether an event was recorded before; from now on it was. The text counts beside the id: some
   * servers count anew on every stream, and not every event has an id of its own.
   */
  isReplayed(eventId: string, data: string): boolean {
    // Nothing but a hash: a part of the text would keep the whole text in memory.
    const key = hash('sha256', `${this.#party.session} ${eventId}\n${data}`, 'base64');
    if (this.#seenEvents.get(key)) return true;
    this.#seenEvents.set(key, true);
    return false;
  }

  isOpen(key: string): boolean {
    return this.#open.has(key);
  }

  failed(key: string, reason: string): void {
    this.#open.get(key)?.failed(reason);
    this.#open.delete(key);
  }

  cancelled(key: string): void {
    this.#open.get(key)?.cancelled();
    this.#open.delete(key);
  }

  blocked(message: Message, answer: Message): void {
    this.#log.request(message, this.#party).blocked(answer);
  }
}
