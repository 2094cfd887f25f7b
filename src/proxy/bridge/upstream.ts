import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';

interface HttpCall {
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

interface SentCall {
  /** Settles when the request has left this process, or never will. */
  sent: Promise<void>;
  response: Promise<IncomingMessage>;
}

const connectTimeout = 10_000;

/**
 * How long a connection is kept for the next request. A server may close one that idles just when a
 * request goes out on it, and that request could then not be sent again, as it might have been
 * heard. Servers wait for two seconds and more; a new connection costs little.
 */
const idleTimeout = 1_000;

/**
 * The URL that messages are posted to. It is node:http and not `fetch`, which gives up on a server
 * that takes five minutes to answer: here, only connecting has a limit.
 */
export class Upstream {
  /** What may be shown: the rest of the URL can hold a token. */
  readonly origin: string;
  readonly #url: URL;
  readonly #protocol: typeof http | typeof https;
  readonly #agent: http.Agent;
  readonly #secrets: string[];

  constructor(url: URL) {
    this.origin = url.origin;
    this.#url = url;
    this.#protocol = url.protocol === 'https:' ? https : http;
    this.#agent = new this.#protocol.Agent({ keepAlive: true, timeout: idleTimeout });
    this.#secrets = secretsIn(url);
  }

  send(method: 'POST' | 'GET' | 'DELETE', { headers, body, signal }: HttpCall): SentCall {
    let request: ClientRequest;
    try {
      const agent = this.#agent;
      request = this.#protocol.request(this.#url, { method, agent, headers, signal });
    } catch (error) {
      // A header that HTTP does not allow, such as one made of an id with control characters.
      return { sent: Promise.resolve(), response: Promise.reject(error) };
    }
    limitConnecting(request);
    request.end(body);
    return {
      sent: new Promise((resolve) => {
        request.once('finish', resolve);
        request.once('close', resolve);
      }),
      response: new Promise((resolve, reject) => {
        request.once('response', resolve);
        request.on('error', reject);
      }),
    };
  }

  /** Servers like to repeat the address in what they say. */
  hideAddress(text: string): string {
    return this.#secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '...'), text);
  }

  close(): void {
    this.#agent.destroy();
  }
}

function limitConnecting(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      request.destroy(new Error(`no connection within ${connectTimeout / 1000} seconds`));
    }, connectTimeout);
    const stop = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop);
    socket.once('close', stop);
  });
}

/** Everything in a URL that is long enough to be a secret, longest first. */
function secretsIn(url: URL): string[] {
  const { pathname, search, username, password } = url;
  const parts = [pathname + search, pathname, ...pathname.split('/'), username, password];
  return [...parts, ...url.searchParams.values()]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= 8)
    .sort((left, right) => right.length - left.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
