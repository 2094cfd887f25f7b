import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { comesFromHere, isForHere } from './loopback.js';
import { readBody } from './read-body.js';
import { refuse } from './refuse.js';
import type { RouteHandler } from './route.js';

/** The one HTTP listener of a proxy: on loopback only, with a secret in the path of every route. */
export class Listener {
  readonly #server: Server;
  readonly #routes = new Map<string, RouteHandler>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => this.#handle(request, response));
    // Something that is no HTTP: nobody we know.
    server.on('clientError', (_error, socket) => socket.destroy());
  }

  static async start(port = 0): Promise<Listener> {
    const server = createServer({
      // A call may take hours, and so may a stream: whoever waits decides how long.
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

  /** Adds a route; its address is told to nobody else. The name is there for people to read. */
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
    if (!isForHere(headers.host) || !comesFromHere(headers.origin)) {
      refuse(response, 403, 'only programs on this machine may call this address');
      return;
    }
    const [path = ''] = (request.url ?? '').split('?', 1);
    const handler = this.#routes.get(path);
    if (handler === undefined) refuse(response, 404, 'there is nothing at this address');
    else if (method === 'POST') this.#post(request, response, handler);
    else if (method === 'GET') handler.get(request, response);
    else if (method === 'DELETE') handler.delete(request, response);
    else refuse(response, 405, `${method} is not possible here`, { allow: 'POST, GET, DELETE' });
  }

  #post(request: IncomingMessage, response: ServerResponse, handler: RouteHandler): void {
    // What is packed cannot be looked at, and so not be judged by the policy.
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
      refuse(response, 415, 'the body must not be compressed');
      return;
    }
    readBody(request, response, (body) => {
      const pressure = handler.pressure();
      const pass = () => handler.post(request, response, body);
      if (pressure === undefined) pass();
      else void pressure.then(pass);
    });
  }
}
