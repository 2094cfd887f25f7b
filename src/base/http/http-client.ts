import http, { type ClientRequest, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { Connection, loadCertificates } from './connection.js';
import { HttpError } from './http-error.js';
import { findProxy } from './proxies.js';
import { openRoute, targetOf } from './route.js';

interface HttpClientOptions {
  /** For proxies and certificates. */
  environment: NodeJS.ProcessEnv;
  /** How long it may take to get a connection, in milliseconds. None: as long as the system tries. */
  connectTimeout?: number;
}

interface ClientMessage {
  method: string;
  headers: OutgoingHttpHeaders;
  body?: Buffer | string | undefined;
}

/**
 * How long a connection is kept for the next request. A server may close one that idles just when a
 * request goes out on it, and that request could then not be sent again, as it might have been
 * heard. Servers wait for two seconds and more; a new connection costs little.
 */
const idleTimeout = 1_000;

/**
 * Requests over connections that are kept, directly or through the proxies that the environment
 * names. It is node:http and not `fetch`, which gives up on a server that takes five minutes to
 * answer: here, only connecting has a limit.
 */
export class HttpClient {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #connectTimeout: number | undefined;
  /** By scheme; those that go through a proxy by origin. */
  readonly #agents = new Map<string, http.Agent>();
  /** Connections through proxies that are not there yet. */
  readonly #opening = new Set<Connection>();
  /** The route of the latest request: it is the same for nearly every request. */
  #latest: { url: URL; route: RequestOptions } | undefined;

  constructor({ environment, connectTimeout }: HttpClientOptions) {
    this.#environment = environment;
    this.#connectTimeout = connectTimeout;
  }

  /**
   * Sends a request. Throws HttpError for an environment that cannot be used, and what node:http
   * throws for headers and addresses that HTTP does not allow.
   */
  send(url: URL, { method, headers, body }: ClientMessage): ClientRequest {
    const isSecure = url.protocol === 'https:';
    const route = this.#routeTo(url);
    const request = (isSecure ? https : http).request({
      ...route,
      method,
      headers: {
        'accept-encoding': 'identity',
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...route.headers,
      },
    });
    request.once('socket', (socket) => {
      // The agent's limit for idle connections is none for those in use.
      socket.setTimeout(0);
      if (socket.connecting) this.#limitConnecting(request, socket, isSecure);
    });
    request.end(body);
    return request;
  }

  /** Whatever is still open is gone at once. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    for (const connection of this.#opening) connection.close();
  }

  #routeTo(url: URL): RequestOptions {
    if (url === this.#latest?.url) return this.#latest.route;
    const proxy = findProxy(url, this.#environment);
    const agent = this.#agentFor(url, proxy);
    const route = { ...urlToHttpOptions(url), ...targetOf(url, proxy), agent };
    this.#latest = { url, route };
    return route;
  }

  #agentFor(url: URL, proxy: URL | undefined): http.Agent {
    const key = proxy ? url.origin : url.protocol;
    const known = this.#agents.get(key);
    if (known) return known;
    const isSecure = url.protocol === 'https:';
    const options = { keepAlive: true, timeout: idleTimeout };
    const secureContext = isSecure ? loadCertificates(this.#environment) : undefined;
    const agent = isSecure
      ? new https.Agent({ ...options, ...(secureContext && { secureContext }) })
      : new http.Agent(options);
    if (proxy) {
      agent.createConnection = (_, done) => {
        this.#openRoute(url, proxy).then(
          (socket) => done?.(null, socket),
          // Without a socket, whatever the types say.
          (error) => (done as (error: Error) => void)(error),
        );
        return undefined;
      };
    }
    this.#agents.set(key, agent);
    return agent;
  }

  async #openRoute(url: URL, proxy: URL): Promise<Socket> {
    const connection = new Connection({ environment: this.#environment });
    this.#opening.add(connection);
    const timer =
      this.#connectTimeout === undefined
        ? undefined
        : setTimeout(() => connection.close(this.#tooSlow()), this.#connectTimeout);
    try {
      return (await openRoute(connection, url, proxy)).socket;
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#opening.delete(connection);
    }
  }

  #limitConnecting(request: ClientRequest, socket: Socket, isSecure: boolean): void {
    if (this.#connectTimeout === undefined) return;
    const timer = setTimeout(() => request.destroy(this.#tooSlow()), this.#connectTimeout).unref();
    socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  }

  #tooSlow(): HttpError {
    const seconds = (this.#connectTimeout ?? 0) / 1000;
    return new HttpError('connect-timeout', `could not be reached within ${seconds} s`);
  }
}
