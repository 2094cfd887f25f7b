import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { McpError } from './mcp-error.js';

interface HttpRequest {
  method: 'POST' | 'GET' | 'DELETE';
  headers: OutgoingHttpHeaders;
  body?: string;
  /** Its reason is what the request, or reading the answer, fails with. */
  signal: AbortSignal;
}

/** Shorter than any server keeps a connection that idles: none is closed while a request leaves. */
const idleTimeout = 1_000;

/**
 * HTTP to one address. It is node:http and not `fetch`, which gives up on a server that takes five
 * minutes to answer.
 */
export class HttpChannel {
  readonly #url: URL;
  readonly #agent = new http.Agent({ keepAlive: true, timeout: idleTimeout });

  constructor(url: string) {
    this.#url = new URL(url);
    if (this.#url.protocol !== 'http:') throw new TypeError('the proxy is reached by http:');
  }

  /** The answer, when its headers are there. */
  send({ method, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) throw signal.reason;
      const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
      const request = http.request(this.#url, {
        method,
        agent: this.#agent,
        headers: { ...headers, 'accept-encoding': 'identity', ...length },
      });
      let response: IncomingMessage | undefined;
      const abort = () => (response ?? request).destroy(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      request.once('close', () => {
        signal.removeEventListener('abort', abort);
        // There was no error if the server wanted to go on with another protocol.
        reject(unreachable(new Error('it was closed without an answer')));
      });
      // The limit for connections that idle is none for those in use.
      request.once('socket', (socket) => socket.setTimeout(0));
      request.on('error', (error) => reject(unreachable(error)));
      request.once('response', (answer) => {
        response = answer;
        // Whoever reads sees it; when nobody reads any more, it does not matter.
        answer.on('error', () => {});
        resolve(answer);
      });
      request.end(body);
    });
  }

  /** Whatever is still open is gone at once. */
  close(): void {
    this.#agent.destroy();
  }
}

/** What became of a connection, as a sentence. */
export function unreachable(error: unknown): McpError {
  if (error instanceof McpError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new McpError(`The connection to the server failed: ${reason}.`, { code: 'unreachable' });
}
