import type { IncomingMessage } from 'node:http';
import type { Era } from './era.js';
import { exchange, listenToServer } from './exchange.js';
import { HttpChannel } from './http-channel.js';
import { joinSignals } from './joined-signal.js';
import { McpError } from './mcp-error.js';
import { paramsText, type RequestParams } from './request-params.js';
import { type RpcAnswer, type RpcMessage, rpcCodes } from './rpc-message.js';
import { answerToServer } from './server-request.js';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** None: no limit. */
  timeoutMs?: number | undefined;
  headers?: Record<string, string>;
  /** The HTTP answer is there. */
  answered?(response: IncomingMessage): void;
}

/** How long a server may take to be told that all is over, in milliseconds. */
const farewellLimit = 2_000;

/** Of notifications and answers to the server that are still on their way. */
const maxPosts = 100;

/** Requests to one server. */
export class Connection {
  /** Found out by the handshake. */
  era: Era;
  /** A request was refused as one of a session that is not known any more. */
  hasLostSession = false;
  readonly #channel: HttpChannel;
  /** Aborted when all is over. */
  readonly #life = new AbortController();
  /** Of whoever uses it. */
  readonly #signal: AbortSignal | undefined;
  readonly #posts = new Set<Promise<void>>();
  #requests = 0;
  #closing: Promise<void> | undefined;

  constructor(url: string, era: Era, signal?: AbortSignal) {
    this.#channel = new HttpChannel(url);
    this.era = era;
    this.#signal = signal;
  }

  /** Throws McpError, and RangeError for params that are nested too deeply. */
  async request(
    method: string,
    params: RequestParams,
    { signal: own, timeoutMs, headers, answered }: RequestOptions = {},
  ): Promise<RpcAnswer> {
    const { era } = this;
    const id = ++this.#requests;
    const start = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":`;
    const body = `${start}${paramsText(era.params(params))}}`;
    const { signal, release } = joinSignals([this.#life.signal, this.#signal, own], timeoutMs);
    const isTooLate = signal.aborted;
    let status: number | undefined;
    let answer: RpcAnswer | undefined;
    try {
      answer = await exchange(this.#channel, {
        id,
        body,
        headers: { ...era.headers(method, params), ...headers },
        signal,
        received: (message) => this.#answer(message),
        answered: (response) => {
          status = response.statusCode;
          answered?.(response);
        },
      });
      return answer;
    } catch (error) {
      const isCalledOff = signal.aborted && !isTooLate && !this.#life.signal.aborted;
      if (isCalledOff && era.notifiesCancellation && method !== 'initialize') {
        this.notify('notifications/cancelled', { requestId: id, reason: 'called off' });
      }
      throw error;
    } finally {
      if (era.session && isRefusal(status, answer)) this.hasLostSession = true;
      release();
    }
  }

  /** Nobody waits for it. */
  notify(method: string, params: RequestParams): void {
    const { era } = this;
    const message = { jsonrpc: '2.0', method, params: era.params(params) };
    this.#post(JSON.stringify(message), era.headers(method, params));
  }

  /** Takes what the server says outside of answers, as long as both sides like. */
  listen(): void {
    const { signal, release } = joinSignals([this.#life.signal, this.#signal]);
    const headers = this.era.headers('', {});
    void listenToServer(this.#channel, {
      headers,
      signal,
      received: (message) => this.#answer(message),
    }).finally(release);
  }

  /** When all that was posted has arrived, or never will. */
  async settled(): Promise<void> {
    await Promise.all(this.#posts);
  }

  /** Ends the session. What is still open fails. Never takes long. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#life.abort(new McpError('The connection was closed.', { code: 'closed' }));
    const { signal, release } = joinSignals([], farewellLimit);
    await Promise.all([this.settled(), this.#endSession(signal)]);
    release();
    this.#channel.close();
  }

  async #endSession(signal: AbortSignal): Promise<void> {
    const { session } = this.era;
    if (!session) return;
    const headers = this.era.headers('', {});
    await this.#send('DELETE', headers, undefined, signal);
  }

  #answer(message: RpcMessage): void {
    const answer = answerToServer(message);
    // Only a session has a way back.
    if (answer !== undefined && this.era.notifiesCancellation) {
      this.#post(answer, this.era.headers('', {}));
    }
  }

  #post(body: string, headers: Record<string, string>): void {
    if (this.#posts.size >= maxPosts) return;
    const { signal, release } = joinSignals([], farewellLimit);
    const post = this.#send('POST', headers, body, signal).finally(() => {
      release();
      this.#posts.delete(post);
    });
    this.#posts.add(post);
  }

  /** Whatever becomes of it. */
  async #send(
    method: 'POST' | 'DELETE',
    headers: Record<string, string>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const accept = 'application/json, text/event-stream';
    const type = body !== undefined && { 'content-type': 'application/json' };
    try {
      const sent = { method, headers: { accept, ...type, ...headers }, signal };
      const response = await this.#channel.send({ ...sent, ...(body !== undefined && { body }) });
      response.resume();
    } catch {
      // The server is gone, or does not care.
    }
  }
}

const aboutRequests: ReadonlySet<number> = new Set([
  rpcCodes.methodNotFound,
  rpcCodes.invalidParams,
  rpcCodes.internalError,
]);

/** By the protocol 404; several servers say 400, which others say of what they were asked. */
function isRefusal(status: number | undefined, answer: RpcAnswer | undefined): boolean {
  if (status !== 400) return status === 404;
  const { code } = answer?.error ?? {};
  return code === undefined || !aboutRequests.has(code);
}
