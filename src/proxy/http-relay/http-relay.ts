import type { IncomingMessage, ServerResponse } from 'node:http';
import { BoundedMap } from '../../base/bounded-map.js';
import { isOnlyInTaskRun, type McpServer } from '../../config/files/mcp-config-file.js';
import { type Message, type Messages, readStatelessVersion } from '../../mcp/message.js';
import { formatBlockedAnswer, isBlocked } from '../policy.js';
import type { ServerLog } from '../record/traffic-log.js';
import type { Body, RouteHandler } from '../route.js';
import { SeenEvents } from '../seen-events.js';
import { Upstream } from '../upstream.js';
import { passAnswer } from './pass-answer.js';
import { RelayExchange, RelaySession } from './relay-exchange.js';
import { selectHeadersToServer } from './relay-headers.js';

interface HttpRelayOptions {
  server: McpServer;
  log: ServerLog;
  by?: 'harness';
  /** Environment variables for HTTP proxies and certificates. */
  environment: NodeJS.ProcessEnv;
  /** How long the server may take to accept a connection, in milliseconds. */
  startupTimeout: number;
}

/**
 * Passes everything on to an HTTP server and back, byte for byte, and has what passes recorded.
 * It knows the protocol only as far as the record and the policy need it.
 */
export class HttpRelay implements RouteHandler {
  readonly server: McpServer;
  readonly #options: HttpRelayOptions;
  readonly #upstream: Upstream;
  /** An agent may name sessions without end. */
  readonly #sessions = new BoundedMap<string, RelaySession>(10_000);
  readonly #exchanges = new Set<RelayExchange>();
  /** Events of streams that can be resumed: what is replayed was recorded before. */
  readonly #seenEvents = new SeenEvents();
  /** POSTs that are on their way. */
  #calls = 0;
  /** The one session of a server that speaks the stateful revisions and gives out no session ids. */
  #withoutId: RelaySession | undefined;

  constructor(options: HttpRelayOptions) {
    this.#options = options;
    this.server = options.server;
    const { url = '', headers = {} } = options.server.data;
    const connectTimeout = options.startupTimeout;
    const isStarting = isOnlyInTaskRun(options.server);
    this.#upstream = new Upstream({
      url,
      headers,
      environment: options.environment,
      connectTimeout,
      followsRedirects: true,
      isStarting,
    });
  }

  post(request: IncomingMessage, response: ServerResponse, body: Body): void {
    const { messages } = body;
    const session = this.#sessionOf(request, messages);
    const exchange = this.#exchange(request, response, session, messages);
    const passed: Message[] = [];
    for (const message of messages.list) {
      if (isBlocked(this.server, message)) this.#block(message, exchange);
      else {
        exchange.sent(message);
        passed.push(message);
      }
    }
    if (passed.length === 0) {
      exchange.answerRefused();
      return;
    }
    const isWhole = passed.length === messages.list.length;
    const text = `[${passed.map((message) => message.text).join(',')}]`;
    this.#send(exchange, request, isWhole ? body.bytes : text);
  }

  get(request: IncomingMessage, response: ServerResponse): void {
    this.#send(this.#exchange(request, response, this.#sessionOf(request)), request);
  }

  delete(request: IncomingMessage, response: ServerResponse): void {
    const ended = (status: number) => {
      if (status < 300 || status === 404) this.#sessions.delete(readSessionId(request) ?? '');
    };
    this.#send(
      this.#exchange(request, response, this.#sessionOf(request), undefined, ended),
      request,
    );
  }

  pressure(): Promise<void> | undefined {
    return this.#options.log.traffic.pressure();
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
    answered: (status: number) => void = () => {},
  ): RelayExchange {
    const { log } = this.#options;
    const exchange = new RelayExchange({
      server: this.server.name,
      log,
      session,
      seenEvents: this.#seenEvents,
      response,
      isBatch: messages?.isBatch ?? false,
      isStateless: messages !== undefined && areStateless(messages),
      mayReplay: request.headers['last-event-id'] !== undefined,
      isBusy: () => this.#calls > busyCalls,
      answered: (status, sessionId) => {
        if (sessionId !== undefined) this.#sessions.set(sessionId, session);
        answered(status);
      },
      over: () => {
        this.#exchanges.delete(exchange);
        if (messages) this.#calls -= 1;
      },
    });
    this.#exchanges.add(exchange);
    if (messages) this.#calls += 1;
    return exchange;
  }

  /** The server does not get to see it; the agent gets an answer if it wants one. */
  #block(message: Message, exchange: RelayExchange): void {
    const text = formatBlockedAnswer(this.server, message);
    const { party } = exchange.options.session;
    this.#options.log.blocked(message, text, party, this.server.restrictedBy);
    if (message.kind === 'request') exchange.refused.push(text);
  }

  #send(exchange: RelayExchange, request: IncomingMessage, body?: Buffer | string): void {
    exchange.upstream = this.#upstream.send({
      method: request.method as 'POST' | 'GET' | 'DELETE',
      headers: selectHeadersToServer(request.headers),
      ...(body !== undefined && { body }),
      answered: (answer) => passAnswer(answer, exchange),
      failed: (reason, code) => exchange.failed(reason, code),
    });
  }

  #sessionOf(request: IncomingMessage, messages?: Messages): RelaySession {
    const id = readSessionId(request);
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
    return new RelaySession(log, { ...number, ...(by && { by }) });
  }
}

/** Number of calls at once above which an agent has other work while it waits for one. */
const busyCalls = 8;

function areStateless({ list }: Messages): boolean {
  return list.every((message) => readStatelessVersion(message) !== undefined);
}

function readSessionId({ headers }: IncomingMessage): string | undefined {
  const id = headers['mcp-session-id'];
  return Array.isArray(id) ? id[0] : id;
}
