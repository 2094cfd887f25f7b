import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../../base/json.js';
import { findElements, findSpan, readTextAt, replaceAt } from '../../base/json-text.js';
import { isEventStream } from '../../mcp/event-stream.js';
import { findHeaderFault } from '../../mcp/mcp-headers.js';
import {
  errorCodes,
  formatEmptyAnswer,
  formatErrorAnswer,
  type Message,
  readIdKey,
  readIdText,
  readMessage,
  readMessages,
  readStatelessVersion,
} from '../../mcp/message.js';
import { EventFeed } from './event-feed.js';
import {
  type BridgeContext,
  BridgeError,
  callServer,
  describeFailure,
  isJson,
  Milestone,
  makeForeignAnswerError,
  makeHttpError,
  readResponseBody,
} from './server-call.js';

/** One message of the client: its POST, and whatever comes back until every request is answered. */
export class BridgeExchange {
  /** The message has left, or never will. */
  readonly sent = new Milestone<void>();
  /** The server took it (true) or did not. */
  readonly accepted = new Milestone<boolean>();
  /** Every request in it has its answer, or will have none. */
  readonly answered = new Milestone<void>();
  readonly isStateless: boolean;
  readonly #message: ClientMessage;
  readonly #connection: BridgeContext;
  /** Requests without an answer, by the key of their ids. */
  readonly #unanswered: Map<string, Message>;
  readonly #controller = new AbortController();
  #isResuming = false;

  constructor(message: ClientMessage, connection: BridgeContext) {
    this.#message = message;
    this.#connection = connection;
    this.#unanswered = new Map(message.requests.map((request) => [readIdKey(request), request]));
    this.isStateless =
      message.single !== undefined && readStatelessVersion(message.single) !== undefined;
  }

  async run(): Promise<void> {
    const { signal } = this.#controller;
    try {
      if (!signal.aborted) await this.#post(signal);
    } catch (error) {
      if (!signal.aborted) await this.fail(describeFailure(error, this.#connection.address));
    } finally {
      this.sent.reach();
      this.accepted.reach(false);
      this.answered.reach();
    }
  }

  /** Answers what is open with an error. */
  async fail(reason: string): Promise<void> {
    const { deliver, note } = this.#connection;
    if (this.#message.requests.length === 0) {
      note(`${this.#message.single?.method || 'a message'} was not delivered: ${reason}`);
    }
    for (const request of this.#unanswered.values()) {
      await deliver(formatErrorAnswer(readIdText(request), errorCodes.relay, reason));
    }
  }

  /** Stops waiting for an answer. In the stateless era, closing the stream cancels the request. */
  abort(): void {
    this.#controller.abort();
  }

  /** Whether it subscribes to changes: its stream stays open for as long as both sides like. */
  get isSubscription(): boolean {
    return this.isStateless && this.#message.single?.method === 'subscriptions/listen';
  }

  /** An answer came, on this exchange's stream or another. Returns it as the client is to have it. */
  takeAnswer(answer: Message): string {
    const { session, note } = this.#connection;
    const { result } = answer.value;
    const method = this.#unanswered.get(readIdKey(answer))?.method;
    if (method === 'initialize') session.takeInitializeResult(result);
    if (method === 'tools/list') session.toolHeaders.learn(result);
    this.forget(readIdKey(answer));
    if (answer.kind === 'empty') return formatEmptyAnswer(readIdText(answer));
    const hasHeaders = method === 'tools/list' && this.isStateless;
    return hasHeaders ? removeFaultyTools(answer, note) : answer.text;
  }

  /** The request needs no answer any more. */
  forget(key: string): void {
    this.#unanswered.delete(key);
    if (this.#unanswered.size > 0) return;
    this.answered.reach();
    // A stream that was only opened to get the answer; servers tend to leave it open.
    if (this.#isResuming) this.abort();
  }

  async #post(signal: AbortSignal): Promise<void> {
    const { session } = this.#connection;
    const isInitialize = this.#message.single?.method === 'initialize';
    if (isInitialize) session.start();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...session.headersFor(this.#message.single),
    };
    const body = this.#message.text;
    const call = callServer(this.#connection, 'POST', { headers, body, signal });
    call.sent.then(() => this.sent.reach());
    const response = await call.response;
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299) return this.#takeRefusal(response);
    if (isInitialize) session.takeId(response.headers);
    this.accepted.reach(true);
    if (isEventStream(response.headers['content-type'])) return this.#takeStream(response, signal);
    await this.#takeBody(response);
  }

  async #takeBody(response: IncomingMessage): Promise<void> {
    const body = await readResponseBody(response);
    // Nothing yet: the answer may come on the server's own stream.
    if (body.trim() === '') return;
    if (isJson(response) && (await this.#connection.deliver(body))) return;
    // Servers answer a notification with all sorts of things, and no request waits for it.
    if (this.#unanswered.size === 0) return;
    throw makeForeignAnswerError(response, body, this.#connection.address);
  }

  async #takeStream(response: IncomingMessage, signal: AbortSignal): Promise<void> {
    const feed = new EventFeed(this.#connection);
    const reason = await feed.read(response);
    if (this.#unanswered.size === 0 || signal.aborted) return;
    if (this.isSubscription) return this.#endSubscription();
    let failure: BridgeError | undefined;
    // In the stateless era, a stream that ended has cancelled its request.
    if (!this.isStateless && feed.lastEventId !== undefined) {
      this.#isResuming = true;
      failure = await feed.follow(() => this.#unanswered.size > 0, signal);
    }
    if (this.#unanswered.size === 0) return;
    const end = reason === undefined ? 'ended' : 'broke off';
    const more = failure?.message ?? reason;
    throw new BridgeError(
      `the stream ${end} before the answer${more === undefined ? '' : `: ${more}`}`,
    );
  }

  /** On stdio, a server says that a subscription is over; over HTTP it just ends the stream. */
  async #endSubscription(): Promise<void> {
    for (const [key, request] of this.#unanswered) {
      this.forget(key);
      const params = `{"requestId":${readIdText(request)},"reason":"the server ended the stream"}`;
      const method = '"method":"notifications/cancelled"';
      await this.#connection.deliver(`{"jsonrpc":"2.0",${method},"params":${params}}`);
    }
  }

  async #takeRefusal(response: IncomingMessage): Promise<void> {
    const body = await readResponseBody(response);
    const answer = this.#asAnswer(body);
    if (answer !== undefined && (await this.#connection.deliver(answer))) return;
    const { address, session } = this.#connection;
    const isSessionGone = response.statusCode === 404 && session.id !== undefined;
    throw makeHttpError(response, body, address, isSessionGone ? 'the session is gone' : undefined);
  }

  /** The JSON-RPC error in a body, when it is one for the single request of this exchange. */
  #asAnswer(body: string): string | undefined {
    const [request, ...others] = this.#unanswered.values();
    if (request === undefined || others.length > 0) return undefined;
    const answer = readMessage(body);
    if (answer?.kind !== 'response' || !isRpcError(answer.value.error)) return undefined;
    if (readIdKey(answer) === readIdKey(request)) return body;
    // A server that could not read the request did not know its id.
    return (answer.value.id ?? null) === null ? insertId(body, readIdText(request)) : undefined;
  }
}

/** OAuth and many a gateway also say `error`, which clients of JSON-RPC pass over. */
function isRpcError(error: unknown): boolean {
  return isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
}

/** A client over HTTP has to leave out tools whose headers cannot be sent; the client does not. */
function removeFaultyTools({ text, value }: Message, note: BridgeContext['note']): string {
  const tools = isObject(value.result) ? value.result.tools : undefined;
  if (!Array.isArray(tools)) return text;
  const path = ['result', 'tools'];
  const list = readTextAt(text, path) ?? '';
  const kept = findElements(list).filter((_, index) => {
    const { name, inputSchema }: JsonObject = isObject(tools[index]) ? tools[index] : {};
    const fault = findHeaderFault(inputSchema);
    if (fault !== undefined) note(`left out the tool ${JSON.stringify(name)}: ${fault}`);
    return fault === undefined;
  });
  if (kept.length === tools.length) return text;
  const by = `[${kept.map(({ start, end }) => list.slice(start, end)).join(',')}]`;
  return replaceAt(text, [{ path, by }]);
}

/** Puts in an id, given as text; nothing else is touched. */
function insertId(message: string, id: string): string {
  const span = findSpan(message, ['id']);
  if (span) return message.slice(0, span.start) + id + message.slice(span.end);
  return message.replace('{', () => `{"id":${id},`);
}

/** What the client wrote on one line. */
export interface ClientMessage {
  /** Sent as it is: writing it anew could change large numbers and the order of keys. */
  text: string;
  /** The message, unless it is a batch (revision 2025-03-26), or no JSON-RPC, which the server refuses. */
  single?: Message;
  /** The requests in it, which the client wants an answer to. */
  requests: Message[];
}

/** Throws SyntaxError for what is not JSON. */
export function readClientMessage(text: string): ClientMessage {
  const messages = readMessages(text);
  if (messages === undefined) {
    JSON.parse(text);
    return { text, requests: [] };
  }
  const requests = messages.list.filter(({ kind }) => kind === 'request');
  const [single] = messages.list;
  return { text, requests, ...(!messages.isBatch && single && { single }) };
}
