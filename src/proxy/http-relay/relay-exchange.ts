import type { ServerResponse } from 'node:http';
import type { WarningCode } from '../../journal/mcp-events.js';
import { formatIdKey, type Message, readIdKey, readMessages } from '../../mcp/message.js';
import type { Details, OpenRequest, Party, ServerLog } from '../record/traffic-log.js';
import { refuse } from '../route.js';
import type { SeenEvents } from '../seen-events.js';
import { warnOfFaultyTools } from '../standard-headers.js';

interface ExchangeOptions {
  server: string;
  log: ServerLog;
  session: RelaySession;
  seenEvents: SeenEvents;
  response: ServerResponse;
  isBatch: boolean;
  isStateless: boolean;
  /** The agent resumes a stream: it gets events that were recorded before. */
  mayReplay: boolean;
  /** Many calls are on their way: then it pays to gather what is written. */
  isBusy(): boolean;
  /** The server answered; it may say which session this is. */
  answered(status: number, sessionId: string | undefined): void;
  over(): void;
}

/** One request of the agent to an HTTP server, and the answer on its way back. */
export class RelayExchange {
  readonly options: ExchangeOptions;
  /** What the POST asks the server. */
  readonly requests: RelayRequest[] = [];
  /** Answers to messages of a batch that were not passed on. */
  readonly refused: string[] = [];
  upstream: { destroy(): void } | undefined;
  isDone = false;

  constructor(options: ExchangeOptions) {
    this.options = options;
    options.response.once('close', () => this.#agentLeft());
  }

  sent(message: Message): void {
    const request = this.options.session.sent(message);
    if (request) this.requests.push(request);
  }

  /** Answers a POST of which nothing may pass to the server. */
  answerRefused(): void {
    const { response, isBatch } = this.options;
    if (this.refused.length === 0) {
      response.writeHead(202).end();
    } else {
      const body = isBatch ? `[${this.refused.join(',')}]` : this.refused.join('');
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }
    this.finish();
  }

  /** The agent gets an error in place of an answer. The reason is the end of a sentence. */
  failed(reason: string, code: WarningCode, details?: Details): void {
    if (this.isDone) return;
    const { server, log, response } = this.options;
    const message = `the server ${JSON.stringify(server)} ${reason}`;
    log.warn(code, message, details);
    refuse(response, 502, message, { id: this.requests[0]?.message });
    this.failRequests(message);
    this.finish();
  }

  /** The end of the task run. */
  abort(): void {
    this.upstream?.destroy();
    this.options.response.destroy();
    this.finish();
  }

  /** Records the messages of a text; false if there are none. */
  record(text: string): boolean {
    const messages = readMessages(text);
    if (messages === undefined) return false;
    const [only, ...others] = this.requests;
    for (const message of messages.list) {
      // An error without an id, in the answer to the only request: it is for that one.
      const isNameless = message.kind === 'response' && message.value.id == null;
      const id = isNameless && only && others.length === 0 ? only.message.value.id : undefined;
      const named = id === undefined ? message : { ...message, value: { ...message.value, id } };
      this.options.session.received(named, this.requests);
    }
    return true;
  }

  get unanswered(): RelayRequest[] {
    return this.requests.filter((request) => this.options.session.isOpen(request));
  }

  failRequests(reason: string): void {
    for (const request of this.requests) this.options.session.fail(request, reason);
  }

  finish(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.options.over();
  }

  /** In the stateless era, closing the stream is how an agent calls a request off. */
  #agentLeft(): void {
    if (this.isDone) return;
    this.upstream?.destroy();
    const { isStateless, session, log } = this.options;
    if (isStateless) {
      // After what came before: it may have been the answer.
      log.traffic.recordSoon(() => {
        for (const request of this.requests) session.cancel(request);
      });
    }
    this.finish();
  }
}

/** A request of the agent that is with the server. */
interface RelayRequest {
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
      const request = { key: readIdKey(message), message, record };
      const alike = this.#open.get(request.key) ?? new Set();
      this.#open.set(request.key, alike.add(request));
      return request;
    }
    // A call without an id gets no answer, but the server may do it all the same.
    if (message.method === 'tools/call') this.#log.request(message, this.party);
    else this.#log.message('to-server', message, this.party);
    if (message.method === 'notifications/cancelled') {
      // After what came before: it may have been the answer.
      this.#log.traffic.recordSoon(() => {
        const [request, ...others] =
          this.#open.get(formatIdKey(message.params.requestId) ?? '') ?? [];
        if (request && others.length === 0) this.cancel(request);
      });
    }
    return undefined;
  }

  /** Records what the server sends. An answer belongs to the requests of its own stream first. */
  received(message: Message, streamRequests: readonly RelayRequest[]): void {
    const isAnswer = message.kind === 'response' || message.kind === 'empty';
    const request = isAnswer ? this.#requestFor(message, streamRequests) : undefined;
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

  #requestFor(message: Message, streamRequests: readonly RelayRequest[]): RelayRequest | undefined {
    const key = readIdKey(message);
    const found = streamRequests.find((request) => request.key === key && this.isOpen(request));
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
