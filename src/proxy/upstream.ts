import http, {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';

interface UpstreamRequest {
  method: 'POST' | 'GET' | 'DELETE';
  /** Another address of the same server. */
  url?: string | undefined;
  headers: OutgoingHttpHeaders;
  body?: Buffer | string;
  answered(response: IncomingMessage): void;
  /** There will be no answer: the end of a sentence about the server. */
  failed(reason: string, code: 'server-unreachable' | 'server-http-error'): void;
}

/** Idle connections are given up before a server does it: a request must not meet its closing. */
const idleTimeout = 4000;

const maxRedirects = 5;

/** The HTTP server behind a route. The configured headers are added here and known to nobody else. */
export class Upstream {
  readonly #url: URL;
  /** Taken apart once: it is the same for nearly every request. */
  readonly #address: RequestOptions;
  readonly #configured: OutgoingHttpHeaders;
  readonly #connectTimeout: number;
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: idleTimeout }),
    'https:': new https.Agent({ keepAlive: true, timeout: idleTimeout }),
  };

  constructor(url: string, configured: Record<string, string>, connectTimeout: number) {
    this.#url = new URL(url);
    this.#address = urlToHttpOptions(this.#url);
    this.#configured = Object.fromEntries(
      Object.entries(configured).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.#connectTimeout = connectTimeout;
  }

  /** Sends a request; what this returns calls it off. */
  send(request: UpstreamRequest): { destroy(): void } {
    let current: ClientRequest | undefined;
    let isDestroyed = false;
    const go = (url: URL, redirects: number): void => {
      current = this.#request(url, request, (response) => {
        const next = nextAddress(response, url, request.method);
        if (next === undefined) {
          request.answered(response);
        } else if (next === 'refused' || redirects >= maxRedirects) {
          response.resume();
          const status = `HTTP ${response.statusCode}`;
          const reason = `answered with a redirect that cannot be followed (${status})`;
          request.failed(reason, 'server-http-error');
        } else {
          response.resume();
          if (!isDestroyed) go(next, redirects + 1);
        }
      });
    };
    go(request.url === undefined ? this.#url : new URL(request.url), 0);
    return {
      destroy() {
        isDestroyed = true;
        current?.destroy();
      },
    };
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #request(
    url: URL,
    { method, headers, body, failed }: UpstreamRequest,
    answered: (response: IncomingMessage) => void,
  ): ClientRequest {
    const isSecure = url.protocol === 'https:';
    const isOwn = url === this.#url;
    // What is meant for one server is not given to another that it points to.
    const configured = isOwn || url.origin === this.#url.origin ? this.#configured : {};
    const request = (isSecure ? https : http).request({
      ...(isOwn ? this.#address : urlToHttpOptions(url)),
      method,
      agent: this.#agents[isSecure ? 'https:' : 'http:'],
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...configured,
      },
    });
    let isOver = false;
    const fail = (reason: string) => {
      if (isOver) return;
      isOver = true;
      failed(reason, 'server-unreachable');
    };
    request.once('response', (response) => {
      isOver = true;
      answered(response);
    });
    request.on('error', (error: NodeJS.ErrnoException) => fail(explain(error)));
    request.once('socket', (socket) => {
      // The agent's limit for idle connections is none for those in use.
      socket.setTimeout(0);
      if (!socket.connecting) return;
      const timer = setTimeout(() => {
        fail(`could not be reached within ${this.#connectTimeout / 1000} s`);
        request.destroy();
      }, this.#connectTimeout).unref();
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
      socket.once('close', () => clearTimeout(timer));
    });
    request.end(body);
    return request;
  }
}

/** Where a redirect leads. A redirect that the agent followed would lead it past the proxy. */
function nextAddress(
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

function explain({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'cannot be reached: connection refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'cannot be reached: its name is not known';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'closed the connection without an answer';
    default:
      return `cannot be reached: ${code ?? message}`;
  }
}
