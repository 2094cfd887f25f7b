import { once } from 'node:events';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestContext } from 'vitest';
import { tlsIdentity } from '../../testing/loopback-http.js';
import { onLoneTestFinished } from '../../testing/test-end.js';

/** A host that no resolver knows, only the proxy; the certificate of the tests is for it. */
const innerHost = 'server.test';

/** How a server on this machine is addressed, so that it is not taken for one. */
export type Way =
  /** By a name that only the proxy knows. */
  | 'http'
  /** The same, with TLS. */
  | 'https'
  /** By an address that leads here, but is none of loopback: reached with the proxy and without it. */
  | 'address';

/** The way out of a network: a real proxy on loopback, for requests and tunnels, that keeps a log. */
export class CompanyNetwork {
  /** First lines of requests, in order of arrival. */
  readonly log: string[] = [];
  /** Of the proxy, with the password if it wants one. */
  readonly proxyUrl: string;
  readonly #onTestFinished: TestContext['onTestFinished'];
  readonly #credentials: string | undefined;

  static async start(
    credentials?: string,
    onTestFinished: TestContext['onTestFinished'] = onLoneTestFinished,
  ): Promise<CompanyNetwork> {
    const server = createServer();
    await listen(server, onTestFinished);
    return new CompanyNetwork(server, credentials, onTestFinished);
  }

  private constructor(
    server: Server,
    credentials: string | undefined,
    onTestFinished: TestContext['onTestFinished'],
  ) {
    this.#credentials = credentials;
    this.#onTestFinished = onTestFinished;
    const user = credentials === undefined ? '' : `${credentials}@`;
    this.proxyUrl = `http://${user}127.0.0.1:${portOf(server)}`;
    server.on('request', (request, response) => this.#pass(request, response));
    server.on('connect', (request, socket) => this.#tunnel(request, socket));
  }

  /** The address by which a server of loopback is known here. */
  async place(origin: string, way: Way): Promise<string> {
    const url = new URL(origin);
    url.hostname = way === 'address' ? '0.0.0.0' : innerHost;
    if (way === 'https') {
      url.port = await this.#encrypt(Number(url.port));
      return url.href.replace(/^http:/, 'https:').replace(/\/$/, '');
    }
    return url.href.replace(/\/$/, '');
  }

  /** The hosts, with their ports, that the proxy was asked for. */
  get hosts(): Set<string> {
    return new Set(this.log.map((line) => / (?:http:\/\/)?([^/]+)/.exec(line)?.[1] ?? line));
  }

  #mayPass({ method, url = '', headers }: IncomingMessage): boolean {
    this.log.push(`${method} ${url}`);
    const given = headers['proxy-authorization'];
    if (this.#credentials === undefined) return true;
    return given === `Basic ${Buffer.from(this.#credentials).toString('base64')}`;
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#mayPass(request)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      return;
    }
    const { method, headers } = request;
    const { port, pathname, search } = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...others } = headers;
    const onward = forward({
      host: '127.0.0.1',
      port,
      path: `${pathname}${search}`,
      method,
      headers: others,
    });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.writeHead(502).end());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  #tunnel(request: IncomingMessage, socket: Socket): void {
    if (this.#mayPass(request)) {
      const port = Number(/\d+$/.exec(request.url ?? '')?.[0]);
      join(socket, port, () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    } else {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    }
  }

  /** A port that speaks TLS, and leads to one that does not. */
  async #encrypt(port: number): Promise<string> {
    const server = createTlsServer(tlsIdentity(), (socket) => join(socket, port));
    await listen(server, this.#onTestFinished);
    return String(portOf(server));
  }
}

/** Both ends belong together from now on. */
function join(socket: Socket, port: number, onConnected = () => {}): void {
  const onward = connect(port, '127.0.0.1', () => {
    onConnected();
    socket.pipe(onward).pipe(socket);
  });
  for (const [one, other] of [
    [socket, onward],
    [onward, socket],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

async function listen(
  server: Server,
  onTestFinished: TestContext['onTestFinished'],
): Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
