import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '../../config/mcp-config-file.js';
import { BoundedMap } from '../bounded-map.js';
import { refuse } from '../listener/refuse.js';
import type { RouteHandler } from '../listener/route.js';
import {
  errorCodes,
  type Message,
  type Messages,
  readMessage,
  readMessages,
  statelessVersion,
} from '../message.js';
import { blockedAnswer } from '../policy.js';
import type { ServerLog } from '../record/server-log.js';
import { Upstream } from '../upstream.js';
import { headersToServer } from './headers.js';
import { RelayExchange } from './relay-exchange.js';
import { RelaySession } from './relay-session.js';

interface HttpRelayOptions {
  server: McpServer;
  log: ServerLog;
  by?: 'harness';
  /** How long the server may take to accept a connection, in milliseconds. */
  startupTimeout: number;
}

/**
 * Passes everything on to an HTTP server and back, byte for byte, and has what passes recorded.
 * It knows the protocol only as far as the record and the policy need it.
 */
export class HttpRelay implements RouteHandler {
  readonly #options: HttpRelayOptions;
  readonly #upstream: Upstream;
  readonly #sessions = new Map<string, RelaySession>();
  readonly #exchanges = new Set<RelayExchange>();
  /** Events of streams that can be resumed: what is replayed was recorded before. */
  readonly #seenEvents = new BoundedMap<string, true>(10_000);
  /** For servers that speak the stateful revisions and give out no session ids. */
  #withoutId: RelaySession | undefined;

  constructor(options: HttpRelayOptions) {
    this.#options = options;
    const { url = '', headers = {} } = options.server.data;
    this.#upstream = new Upstream(url, headers, options.startupTimeout);
  }

  post(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const messages = readMessages(body.toString());
    if (messages === undefined) {
      refuse(response, 400, 'the body is no JSON-RPC message', { code: errorCodes.parseError });
      return;
    }
    const session = this.#sessionOf(request, messages);
    const exchange = this.#exchange(request, response, session, messages);
    const passed: Message[] = [];
    for (const message of messages.list) {
      const refusal = blockedAnswer(this.#options.server, message);
      if (refusal === undefined) {
        exchange.sent(message);
        passed.push(message);
        continue;
      }
      exchange.refused.push(refusal);
      const answer = readMessage(refusal);
      if (answer) session.blocked(message, answer);
    }
    if (passed.length === 0) {
      exchange.answerRefused();
      return;
    }
    const isWhole = exchange.refused.length === 0;
    this.#send(exchange, request, isWhole ? body : `[${passed.map(({ text }) => text).join(',')}]`);
  }

  get(request: IncomingMessage, response: ServerResponse): void {
    this.#send(this.#exchange(request, response, this.#sessionOf(request)), request);
  }

  delete(request: IncomingMessage, response: ServerResponse): void {
    this.#send(this.#exchange(request, response, this.#sessionOf(request)), request);
    this.#sessions.delete(sessionIdOf(request) ?? '');
  }

  pressure(): Promise<void> | undefined {
    return this.#options.log.pressure();
  }

  close(): void {
    for (const exchange of this.#exchanges) exchange.abort();
    this.#upstream.close();
  }

  #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    session: RelaySession,
    messages?: Messages,
  ): RelayExchange {
    const { server, log } = this.#options;
    const exchange = new RelayExchange({
      server: server.name,
      log,
      session,
      response,
      isBatch: messages?.isBatch ?? false,
      isStateless: messages !== undefined && areStateless(messages),
      mayReplay: request.headers['last-event-id'] !== undefined,
      gotSessionId: (id) => this.#sessions.set(id, session),
      over: () => this.#exchanges.delete(exchange),
    });
    this.#exchanges.add(exchange);
    return exchange;
  }

  #send(exchange: RelayExchange, request: IncomingMessage, body?: Buffer | string): void {
    exchange.upstream = this.#upstream.send({
      method: request.method as 'POST' | 'GET' | 'DELETE',
      headers: headersToServer(request.headers),
      ...(body !== undefined && { body }),
      answered: (answer) => exchange.answered(answer),
      failed: (reason, code) => exchange.failed(reason, code),
    });
  }

  #sessionOf(request: IncomingMessage, messages?: Messages): RelaySession {
    const id = sessionIdOf(request);
    const isNew = messages?.list.some(({ method }) => method === 'initialize') ?? false;
    if (messages && areStateless(messages)) return this.#newSession(false);
    const known = id === undefined ? this.#withoutId : this.#sessions.get(id);
    if (known && !isNew) return known;
    const session = this.#newSession(true);
    if (id !== undefined) this.#sessions.set(id, session);
    else this.#withoutId = session;
    return session;
  }

  #newSession(isNumbered: boolean): RelaySession {
    const { log, by } = this.#options;
    const number = isNumbered ? { session: log.newSession() } : {};
    return new RelaySession(log, { ...number, ...(by && { by }) }, this.#seenEvents);
  }
}

function areStateless({ list }: Messages): boolean {
  return list.every((message) => statelessVersion(message) !== undefined);
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return Array.isArray(id) ? id[0] : id;
}
