import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCodes, readMessages } from '../mcp/message.js';
import { isAmbiguous } from './policy.js';
import { type RouteHandler, refuse } from './route.js';

/** The one HTTP listener of a proxy: on loopback only, with a secret in the path of every route. */
export class Listener {
  readonly #server: Server;
  readonly #routes = new Map<string, RouteHandler>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => this.#handle(request, response));
    // Something that is not HTTP: no agent sends that.
    server.on('clientError', (_error, socket) => socket.destroy());
  }

  static async start(port = 0): Promise<Listener> {
    const server = createServer({
      // A call may take hours, and so may a stream: the client decides how long to wait.
      requestTimeout: 0,
      keepAliveTimeout: 60_000,
      noDelay: true,
    });
    const listener = new Listener(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Adds a route under a secret address. The name in it is there for people to read. */
  add(name: string, handler: RouteHandler): { url: string; remove(): void } {
    const path = `/${randomBytes(24).toString('base64url')}/${encodeURIComponent(name)}`;
    this.#routes.set(path, handler);
    const url = `http://127.0.0.1:${this.port}${path}`;
    return { url, remove: () => this.#routes.delete(path) };
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { headers, method } = request;
    // A page in a browser must not reach it, whatever name it has for this machine.
    if (!isLoopbackHost(headers.host) || !isLocalOrigin(headers.origin)) {
      refuse(response, 403, 'only programs on this machine may call this address');
      return;
    }
    const [path = ''] = (request.url ?? '').split('?', 1);
    const handler = this.#routes.get(path);
    if (handler === undefined) refuse(response, 404, unknownAddress);
    else if (method === 'POST') this.#post(request, response, path);
    else if (method === 'GET') handler.get(request, response);
    else if (method === 'DELETE') handler.delete(request, response);
    else refuse(response, 405, `${method} is not possible here`, { allow: 'POST, GET, DELETE' });
  }

  #post(request: IncomingMessage, response: ServerResponse, path: string): void {
    const { 'content-encoding': encoding = 'identity', 'content-type': type } = request.headers;
    // What is packed or written in other letters cannot be looked at, and not judged by the policy.
    if (encoding !== 'identity' || !isPlainJson(type)) {
      refuse(response, 415, 'the body must be application/json, in UTF-8 and not compressed');
      return;
    }
    readRequestBody(request, response, (bytes) => this.#pass(request, response, path, bytes));
  }

  #pass(request: IncomingMessage, response: ServerResponse, path: string, bytes: Buffer): void {
    // The task run may be over by now, or the agent gone.
    const handler = this.#routes.get(path);
    const pressure = handler?.pressure();
    if (response.destroyed) return;
    if (handler === undefined) {
      refuse(response, 404, unknownAddress);
    } else if (pressure) {
      void pressure.then(() => this.#pass(request, response, path, bytes));
    } else {
      const messages = readMessages(bytes.toString());
      if (messages === undefined) {
        refuse(response, 400, 'the body is not JSON', { code: errorCodes.parseError });
      } else if (messages.list.some(({ kind }) => kind === 'unknown' || kind === 'empty')) {
        refuse(response, 400, 'this is not a JSON-RPC message', {
          code: errorCodes.invalidRequest,
        });
      } else if (messages.list.some((message) => isAmbiguous(handler.server, message))) {
        const reason = 'a key that decides what may be called is there twice';
        refuse(response, 400, reason, { code: errorCodes.invalidRequest });
      } else {
        handler.post(request, response, { bytes, messages });
      }
    }
  }
}

const unknownAddress = 'there is nothing at this address';

function isPlainJson(contentType = 'application/json'): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(contentType.trim());
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a Host header names this machine by a name that only loopback has. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && loopbackNames.has(host.replace(/:\d+$/, '').toLowerCase());
}

/** Whether a request comes from a program, or from a page that this machine itself serves. */
export function isLocalOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return isLoopbackHost(host);
}

/** Bytes of one request: far more than any agent sends on purpose. */
const maxBody = 32 * 1024 * 1024;

/** Reads the body of a request. One that is too large is refused as soon as that is known. */
function readRequestBody(
  request: IncomingMessage,
  response: ServerResponse,
  done: (body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const tooLarge = () => {
    request.removeAllListeners('data');
    request.removeAllListeners('end');
    chunks.length = 0;
    const reason = `the body is larger than ${maxBody / 1024 / 1024} MiB`;
    refuse(response, 413, reason, { openUntil: discard(request) });
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBody) {
    tooLarge();
    return;
  }
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maxBody) tooLarge();
  });
  request.on('end', () => {
    const [first] = chunks;
    done(chunks.length === 1 && first ? first : Buffer.concat(chunks));
  });
  // The agent closed the connection while it sent: there is no request to answer.
  request.on('error', () => {});
}

/** Bytes after which a client that sends on in spite of the refusal is cut off. */
const maxDiscarded = 4 * maxBody;

/**
 * Reads on for a while without keeping anything: to a connection that is closed while it still
 * sends, a client gets an error of the connection in place of the answer.
 */
function discard(request: IncomingMessage): Promise<void> {
  let length = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxDiscarded) request.destroy();
    });
    request.once('end', resolve);
    request.once('close', resolve);
  });
}
