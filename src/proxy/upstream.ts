import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { HttpClient } from '../base/http/http-client.js';
import { HttpError } from '../base/http/http-error.js';
import { findHeaderProblem } from '../base/http/http-syntax.js';

interface UpstreamOptions {
  url: string;
  /** Headers of the MCP config, which are sent to this server only: they may hold secrets. */
  headers?: Record<string, string>;
  /** Environment variables for HTTP proxies and certificates. */
  environment: NodeJS.ProcessEnv;
  /** How long connecting may take, in milliseconds. */
  connectTimeout: number;
  /** Otherwise a redirect is an answer like any other. */
  followsRedirects?: boolean;
  /** The server may not listen yet: until the first answer, refused connections are retried within `connectTimeout`. */
  isStarting?: boolean;
}

interface UpstreamRequest {
  method: 'POST' | 'GET' | 'DELETE';
  /** Another address of the same server. */
  url?: string | undefined;
  headers: OutgoingHttpHeaders;
  body?: Buffer | string;
  /** All of it has left this process. Not called for a request that cannot be sent. */
  sent?(): void;
  answered(response: IncomingMessage): void;
  /** There will be no answer: the end of a sentence about the server. */
  failed(
    reason: UpstreamFailure['reason'],
    code: UpstreamFailure['code'],
    cause: UpstreamFailure['cause'],
  ): void;
}

/** Takes the end of one HTTP request. At most one of the two is called, and never synchronously. */
interface Attempt {
  answered(response: IncomingMessage): void;
  failed(failure: UpstreamFailure): void;
}

const maxRedirects = 5;

/** Milliseconds between two attempts to reach a server that is just starting. */
const retryDelay = 100;

/** What an agent may send that is meant for one server only. */
const credentials = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** An HTTP server that is asked for something. Only connecting to it has a limit. */
export class Upstream {
  readonly #url: URL;
  readonly #configured: OutgoingHttpHeaders;
  readonly #connectTimeout: number;
  readonly #followsRedirects: boolean;
  #isStarting: boolean;
  readonly #client: HttpClient;

  constructor(options: UpstreamOptions) {
    const { url, headers = {}, environment, connectTimeout } = options;
    const { followsRedirects = false, isStarting = false } = options;
    this.#url = new URL(url);
    this.#configured = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.#connectTimeout = connectTimeout;
    this.#client = new HttpClient({ environment, connectTimeout });
    this.#followsRedirects = followsRedirects;
    this.#isStarting = isStarting;
  }

  /** Sends a request. What this returns cancels it, and then nothing more is called. */
  send(request: UpstreamRequest): { destroy(): void } {
    let current: ClientRequest | undefined;
    let isOver = false;
    let waiting: NodeJS.Timeout | undefined;
    const deadline = performance.now() + this.#connectTimeout;
    const fail = ({ reason, code, cause }: UpstreamFailure) => {
      if (isOver) return;
      isOver = true;
      request.failed(reason, code, cause);
    };
    const go = (url: URL, redirects: number): void => {
      current = this.#attempt(url, request, {
        answered: (response) => {
          this.#isStarting = false;
          if (isOver) return;
          const follows = this.#followsRedirects;
          const next = follows ? resolveRedirect(response, url, request.method) : undefined;
          if (next === undefined) {
            isOver = true;
            request.answered(response);
          } else if (next === 'refused' || redirects >= maxRedirects) {
            response.destroy();
            const status = `HTTP ${response.statusCode}`;
            const reason = `answered with a redirect that cannot be followed (${status})`;
            fail({ reason, code: 'server-http-error' });
          } else {
            response.resume();
            go(next, redirects + 1);
          }
        },
        failed: (failure) => {
          const { code } = (failure.cause ?? {}) as NodeJS.ErrnoException;
          const isLate = performance.now() + retryDelay > deadline;
          // A server that refused the connection has seen nothing of the request.
          if (isOver || !this.#isStarting || code !== 'ECONNREFUSED' || isLate) fail(failure);
          else waiting = setTimeout(go, retryDelay, url, redirects);
        },
      });
      if (redirects === 0) current?.once('finish', () => isOver || request.sent?.());
    };
    go(request.url === undefined ? this.#url : new URL(request.url), 0);
    return {
      destroy() {
        isOver = true;
        clearTimeout(waiting);
        current?.destroy();
      },
    };
  }

  close(): void {
    this.#client.close();
  }

  #attempt(
    url: URL,
    { method, headers: asked, body }: UpstreamRequest,
    { answered, failed }: Attempt,
  ): ClientRequest | undefined {
    const headers = this.#headersFor(url, asked);
    let request: ClientRequest;
    try {
      request = this.#client.send(url, { method, headers, body });
    } catch (error) {
      // A header that HTTP does not allow: it may be made of a variable or of what a server said.
      setImmediate(() => failed(describeRequestFailure(headers, error)));
      return undefined;
    }
    let isOver = false;
    const fail = (failure: UpstreamFailure) => {
      if (isOver) return;
      isOver = true;
      failed(failure);
    };
    request.once('response', (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 200 || statusCode > 599) {
        response.destroy();
        fail(describeStatusFailure(statusCode));
      } else if (!isOver) {
        isOver = true;
        answered(response);
      }
    });
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      fail(describeStatusFailure(101));
    });
    request.on('error', (error) => fail(describeConnectionFailure(error)));
    // Not every end is an error to node:http.
    request.once('close', () => fail(noAnswer));
    return request;
  }

  #headersFor(url: URL, headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    if (url === this.#url || url.origin === this.#url.origin) {
      return { ...headers, ...this.#configured };
    }
    // What is meant for one server is not given to another that it points to.
    const others = Object.entries(headers).filter(([name]) => !credentials.has(name.toLowerCase()));
    return Object.fromEntries(others);
  }
}

/** Finds where a redirect leads. One that the agent followed would lead it past the proxy. */
function resolveRedirect(
  { statusCode = 0, headers: { location } }: IncomingMessage,
  from: URL,
  method: string,
): URL | 'refused' | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  const keepsMethod = statusCode === 307 || statusCode === 308 || method === 'GET';
  if (location === undefined || !keepsMethod || !URL.canParse(location, from.href))
    return 'refused';
  const next = new URL(location, from);
  const isWeaker = from.protocol === 'https:' && next.protocol !== 'https:';
  return isWeaker || !/^https?:$/.test(next.protocol) ? 'refused' : next;
}

/** Why a server gave no answer. */
interface UpstreamFailure {
  /** The end of a sentence about the server. */
  reason: string;
  code: 'server-unreachable' | 'server-http-error';
  /** What the system said, if it was the connection. */
  cause?: Error;
}

const noAnswer: UpstreamFailure = {
  reason: 'closed the connection without an answer',
  code: 'server-unreachable',
};

function describeConnectionFailure(error: NodeJS.ErrnoException): UpstreamFailure {
  if (error instanceof HttpError) return describeRouteFailure(error);
  // Node's HTTP parser: something listens there, but does not speak HTTP.
  if (error.code?.startsWith('HPE_')) {
    const reason = `answered with something that is not HTTP (${error.code})`;
    return { reason, code: 'server-http-error' };
  }
  return { reason: explainErrorCode(error), code: 'server-unreachable', cause: error };
}

/** Describes a status that is no answer. */
function describeStatusFailure(status: number): UpstreamFailure {
  const meaning = status === 101 ? 'a change of protocol that was not requested' : 'no HTTP status';
  return { reason: `answered with HTTP ${status}, which is ${meaning}`, code: 'server-http-error' };
}

/** Describes a request that node:http refuses to send, or that has no way to the server. */
function describeRequestFailure(headers: OutgoingHttpHeaders, error: unknown): UpstreamFailure {
  if (error instanceof HttpError) return describeRouteFailure(error);
  const [problem] = Object.entries(headers).flatMap(
    ([name, value]) => findHeaderProblem(name, String(value)) ?? [],
  );
  // The error's own text is left out: it could quote a value.
  const { code, name } = error as NodeJS.ErrnoException;
  return { reason: `cannot be asked: ${problem ?? code ?? name}`, code: 'server-unreachable' };
}

/** Proxies, certificates, and the time to connect. */
function describeRouteFailure(error: HttpError): UpstreamFailure {
  if (error.code === 'connect-timeout') {
    return { reason: error.message, code: 'server-unreachable' };
  }
  const reason = `cannot be reached: ${error.message}`;
  return { reason, code: 'server-unreachable', cause: error };
}

function explainErrorCode({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'cannot be reached: connection refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'cannot be reached: its name is not known';
    case 'ECONNRESET':
    case 'EPIPE':
      return noAnswer.reason;
    default:
      return `cannot be reached: ${code ?? message}`;
  }
}
