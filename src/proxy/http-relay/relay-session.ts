import { idKey, keyOfId, type Message } from '../message.js';
import type { OpenRequest } from '../record/open-request.js';
import type { Party, ServerLog } from '../record/server-log.js';
import { warnOfFaultyTools } from '../standard-headers.js';

/** A request of the agent that is with the server. */
export interface RelayRequest {
  key: string;
  message: Message;
  record: OpenRequest;
}

/** What is known of one agent's session with an HTTP server; of a stateless request, of that one. */
export class RelaySession {
  readonly #log: ServerLog;
  readonly party: Party;
  /**
   * Requests without an answer, by id. It may come on any stream of the session. Agents of a server
   * that gives out no session ids count as one, and then an id may be there several times.
   */
  readonly #open = new Map<string, Set<RelayRequest>>();

  constructor(log: ServerLog, party: Party) {
    this.#log = log;
    this.party = party;
  }

  /** Records what the agent sends; a request is open from now on. */
  sent(message: Message): RelayRequest | undefined {
    if (message.kind === 'request') {
      const record = this.#log.request(message, this.party);
      const request = { key: idKey(message), message, record };
      const alike = this.#open.get(request.key) ?? new Set();
      this.#open.set(request.key, alike.add(request));
      return request;
    }
    // A call without an id gets no answer, but the server may do it all the same.
    if (message.method === 'tools/call') this.#log.request(message, this.party);
    else this.#log.message('to-server', message, this.party);
    if (message.method === 'notifications/cancelled') {
      // After what came before: it may have been the answer.
      this.#log.recordSoon(() => {
        const [request, ...others] = this.#open.get(keyOfId(message.params.requestId) ?? '') ?? [];
        if (request && others.length === 0) this.cancel(request);
      });
    }
    return undefined;
  }

  /** Records what the server sends. An answer belongs to the requests of its own stream first. */
  received(message: Message, own: readonly RelayRequest[]): void {
    const isAnswer = message.kind === 'response' || message.kind === 'empty';
    const request = isAnswer ? this.#requestFor(message, own) : undefined;
    if (request === undefined) this.#log.message('to-agent', message, this.party);
    else if (this.#close(request)) request.record.answered(message);
    if (request?.message.method !== 'tools/list') return;
    warnOfFaultyTools(message, (code, text) => this.#log.warn(code, text));
  }

  isOpen(request: RelayRequest): boolean {
    return this.#open.get(request.key)?.has(request) ?? false;
  }

  fail(request: RelayRequest, reason: string): void {
    if (this.#close(request)) request.record.failed(reason);
  }

  cancel(request: RelayRequest): void {
    if (this.#close(request)) request.record.cancelled();
  }

  #requestFor(message: Message, own: readonly RelayRequest[]): RelayRequest | undefined {
    const key = idKey(message);
    const found = own.find((request) => request.key === key && this.isOpen(request));
    if (found) return found;
    const [first] = this.#open.get(key) ?? [];
    return first;
  }

  /** False if it was not open any more. */
  #close(request: RelayRequest): boolean {
    const alike = this.#open.get(request.key);
    if (!alike?.delete(request)) return false;
    if (alike.size === 0) this.#open.delete(request.key);
    return true;
  }
}
