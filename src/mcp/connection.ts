import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { exchange, HttpChannel, listenToServer } from './http-exchange.js';
import { errorCodes, type Message } from './message.js';
import type { ProtocolMode } from './protocol-mode.js';
import {
  answerServerRequest,
  formatParams,
  McpError,
  type RequestParams,
  type RpcAnswer,
} from './rpc-message.js';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** None: no limit. */
  timeoutMs?: number | undefined;
  headers?: Record<string, string>;
  /** The HTTP answer is there. */
  answered?(response: IncomingMessage): void;
}

/** How long ending the session, or sending a notification, may take, in milliseconds. */
const farewellLimit = 2_000;

/** The limit for notifications and answers to the server that are on their way at once. */
const maxPosts = 100;

/** Requests to one server. */
export class Connection {
  /** The mode that the handshake found. */
  mode: ProtocolMode;
  /** A request was refused as one of a session that is not known any more. */
  hasLostSession = false;
  readonly #channel: HttpChannel;
  /** Aborted when all is over. */
  readonly #life = new AbortController();
  /** The signal of the user of the client. */
  readonly #signal: AbortSignal | undefined;
  readonly #posts = new Set<Promise<void>>();
  #requests = 0;
  #closing: Promise<void> | undefined;

  constructor(url: string, mode: ProtocolMode, signal?: AbortSignal) {
    this.#channel = new HttpChannel(url);
    this.mode = mode;
    this.#signal = signal;
  }

  /** Throws McpError, and RangeError for params that are nested too deeply. */
  async request(
    method: string,
    params: RequestParams,
    { signal: requestSignal, timeoutMs, headers, answered }: RequestOptions = {},
  ): Promise<RpcAnswer> {
    const { mode } = this;
    const id = ++this.#requests;
    const start = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":`;
    const body = `${start}${formatParams(mode.params(params))}}`;
    const { signal, release } = joinSignals(
      [this.#life.signal, this.#signal, requestSignal],
      timeoutMs,
    );
    const isTooLate = signal.aborted;
    let status: number | undefined;
    let answer: RpcAnswer | undefined;
    try {
      answer = await exchange(this.#channel, {
        id,
        body,
        headers: { ...mode.headers(method, params), ...headers },
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
      if (isCalledOff && mode.notifiesCancellation && method !== 'initialize') {
        this.notify('notifications/cancelled', { requestId: id, reason: 'called off' });
      }
      throw error;
    } finally {
      if (mode.session && isRefusal(status, answer)) this.hasLostSession = true;
      release();
    }
  }

  /** Sends a notification in the background. */
  notify(method: string, params: RequestParams): void {
    const { mode } = this;
    const message = { jsonrpc: '2.0', method, params: mode.params(params) };
    this.#post(JSON.stringify(message), mode.headers(method, params));
  }

  /** Takes what the server says outside of answers, as long as both sides like. */
  listen(): void {
    const { signal, release } = joinSignals([this.#life.signal, this.#signal]);
    const headers = this.mode.headers('', {});
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
    const { session } = this.mode;
    if (!session) return;
    const headers = this.mode.headers('', {});
    await this.#send('DELETE', headers, undefined, signal);
  }

  #answer(message: Message): void {
    const answer = answerServerRequest(message);
    // Only a session has a way back.
    if (answer !== undefined && this.mode.notifiesCancellation) {
      this.#post(answer, this.mode.headers('', {}));
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

  /** Sends a message and ignores failures. */
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
  errorCodes.methodNotFound,
  errorCodes.invalidParams,
  errorCodes.internalError,
]);

/** By the protocol 404; several servers say 400, which others say of what they were asked. */
function isRefusal(status: number | undefined, answer: RpcAnswer | undefined): boolean {
  if (status !== 400) return status === 404;
  const { code } = answer?.error ?? {};
  return code === undefined || !aboutRequests.has(code);
}

interface JoinedSignal {
  signal: AbortSignal;
  /** Must be called, so that a signal that lives on does not keep what is over. */
  release(): void;
}

/** A signal that is aborted with the first of several, or after a time; its reason is an McpError. */
export function joinSignals(
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs?: number,
): JoinedSignal {
  const controller = new AbortController();
  const present = signals.filter((signal) => signal !== undefined);
  const abort = (event: { target: unknown }) => {
    const { reason } = event.target as AbortSignal;
    controller.abort(reason instanceof McpError ? reason : abortedError);
  };
  // Every call under way listens: many are no leak, as Node would suspect.
  if (present.length > 0) setMaxListeners(0, ...present);
  for (const signal of present) {
    if (signal.aborted) abort({ target: signal });
    else signal.addEventListener('abort', abort);
  }
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(timeoutError(timeoutMs)), timeoutMs);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const signal of present) signal.removeEventListener('abort', abort);
    },
  };
}

const abortedError = new McpError('The request was cancelled.', { code: 'aborted' });

function timeoutError(timeoutMs: number): McpError {
  return new McpError(`The server did not answer within ${timeoutMs / 1000} s.`, {
    code: 'timeout',
  });
}
