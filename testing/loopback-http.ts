import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import path from 'node:path';
import type { TestContext } from 'vitest';
import { onLoneTestFinished } from './test-end.js';

const tlsFolder = path.resolve(import.meta.dirname, '../test/fixtures/tls');
/** Of localhost, 127.0.0.1, ::1 and server.test; to be trusted through SSL_CERT_FILE. */
export const certificateFile = path.join(tlsFolder, 'certificate.pem');

/** Of a server with that certificate. */
export const tlsIdentity = () => ({
  key: readFileSync(path.join(tlsFolder, 'key.pem')),
  cert: readFileSync(certificateFile),
});

interface ListenOptions extends Partial<Pick<TestContext, 'onTestFinished'>> {
  host?: string;
}

/** A server on this machine that ends with the test. */
export class LoopbackServer {
  readonly port: number;
  readonly #host: string;
  readonly #open = new Set<Socket>();
  /** How many there were so far. */
  connections = 0;

  static async http(answer: RequestListener, options: ListenOptions = {}): Promise<LoopbackServer> {
    return LoopbackServer.#listen(createServer(answer), options);
  }

  static async https(answer: RequestListener): Promise<LoopbackServer> {
    return LoopbackServer.#listen(createTlsServer(tlsIdentity(), answer));
  }

  /** One that says what a test wants, byte by byte. */
  static async tcp(answer: (socket: Socket) => void): Promise<LoopbackServer> {
    return LoopbackServer.#listen(createTcpServer(answer));
  }

  /** A proxy that leads to a server on this machine, whatever host it is asked for. */
  static async proxy(
    seen: ProxyRequest[],
    upstreamPort: number,
    isSecure = false,
  ): Promise<LoopbackServer> {
    const server = isSecure ? createTlsServer(tlsIdentity()) : createServer();
    server.on('connect', (request, client: Socket, head: Buffer) => {
      seen.push({ line: `CONNECT ${request.url}`, headers: request.headers });
      const upstream = connect(upstreamPort, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      });
      for (const socket of [client, upstream]) socket.on('error', () => undefined);
      client.on('close', () => upstream.destroy());
      // Not destroyed: whether the other side closes it is what tests want to know.
      upstream.on('close', () => client.resume());
    });
    server.on('request', (request, response) => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers });
      response.end('from the proxy');
    });
    return LoopbackServer.#listen(server);
  }

  static async #listen(
    server: Server,
    { host = '127.0.0.1', onTestFinished = onLoneTestFinished }: ListenOptions = {},
  ): Promise<LoopbackServer> {
    await once(server.listen(0, host), 'listening');
    const loopback = new LoopbackServer(server, host);
    onTestFinished(async () => {
      for (const socket of loopback.#open) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return loopback;
  }

  private constructor(server: Server, host: string) {
    this.port = (server.address() as AddressInfo).port;
    this.#host = host;
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      this.connections += 1;
      socket.on('error', () => undefined);
      socket.resume();
      socket.on('close', () => this.#open.delete(socket));
    });
  }

  url(pathname = '/', scheme = 'http'): string {
    return `${scheme}://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${this.port}${pathname}`;
  }

  /** When no connection is open any more. */
  async idle(): Promise<void> {
    const closed = [...this.#open].map((socket) => new Promise((done) => socket.on('close', done)));
    await Promise.all(closed);
  }
}

export interface ProxyRequest {
  line: string;
  headers: NodeJS.Dict<string | string[]>;
}
