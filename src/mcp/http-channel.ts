import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { errorMessage } from '../base/errors.js';
import { HttpClient } from '../base/http/http-client.js';
import { McpError } from './mcp-error.js';

interface HttpRequest {
  method: 'POST' | 'GET' | 'DELETE';
  headers: OutgoingHttpHeaders;
  body?: string;
  /** Its reason is what the request, or reading the answer, fails with. */
  signal: AbortSignal;
}

/** HTTP to one address. */
export class HttpChannel {
  readonly #url: URL;
  readonly #client = new HttpClient({ environment: process.env });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** The answer, when its headers are there. */
  send({ method, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) throw signal.reason;
      const request = this.#client.send(this.#url, { method, headers, body });
      let response: IncomingMessage | undefined;
      const abort = () => (response ?? request).destroy(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      request.once('close', () => {
        signal.removeEventListener('abort', abort);
        // There was no error if the server wanted to go on with another protocol.
        reject(unreachable(new Error('it was closed without an answer')));
      });
      request.on('error', (error) => reject(unreachable(error)));
      request.once('response', (answer) => {
        response = answer;
        // Whoever reads sees it; when nobody reads any more, it does not matter.
        answer.on('error', () => {});
        resolve(answer);
      });
    });
  }

  /** Whatever is still open is gone at once. */
  close(): void {
    this.#client.close();
  }
}

/** What became of a connection, as a sentence. */
export function unreachable(error: unknown): McpError {
  if (error instanceof McpError) return error;
  const reason = errorMessage(error);
  return new McpError(`The connection to the server failed: ${reason}.`, { code: 'unreachable' });
}
