import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectionError, HttpError } from './http-error.js';
import { bareHost, portOf } from './no-proxy.js';
import { tlsReason } from './tls-reason.js';
import { trustedCertificates } from './trusted-certificates.js';

interface ConnectionOptions {
  signal?: AbortSignal;
  environment: NodeJS.ProcessEnv;
  idleMs?: number;
}

/** The sockets of one request, one in the other where there is a proxy. */
export class Connection {
  readonly #sockets: Socket[] = [];
  readonly #signal: AbortSignal | undefined;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #idleMs: number | undefined;

  constructor({ signal, environment, idleMs }: ConnectionOptions) {
    this.#signal = signal;
    this.#idleMs = idleMs;
    this.#environment = environment;
    signal?.addEventListener('abort', this.#abort);
  }

  async open(url: URL): Promise<Socket> {
    const socket = connect({
      host: bareHost(url.hostname),
      port: Number(portOf(url)),
      noDelay: true,
    });
    try {
      await this.#ready(socket, 'connect');
    } catch (error) {
      throw connectionError(error, url.host);
    }
    return url.protocol === 'https:' ? this.encrypt(socket, url) : socket;
  }

  /** Speaks TLS over a connection to whoever answers there for a URL. */
  async encrypt(inner: Socket, url: URL): Promise<Socket> {
    const host = bareHost(url.hostname);
    const secureContext = trustedCertificates(this.#environment);
    const socket = connectTls({
      socket: inner,
      host,
      // An address is no name that could be asked for.
      servername: isIP(host) ? '' : host,
      ALPNProtocols: ['http/1.1'],
      ...(secureContext && { secureContext }),
    });
    try {
      await this.#ready(socket, 'secureConnect');
    } catch (error) {
      if (error instanceof HttpError) throw error;
      const message = `there is no secure connection to ${url.host}: ${tlsReason(error)}`;
      throw new HttpError('tls', message, { cause: error });
    }
    return socket;
  }

  /** Ends whatever is going on. */
  close(error?: Error): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    for (const socket of this.#sockets.toReversed()) socket.destroy(error);
  }

  readonly #abort = (): void => this.close(new Error('aborted'));

  readonly #idle = (): void => {
    const seconds = (this.#idleMs ?? 0) / 1000;
    this.close(new HttpError('idle', `nothing came for ${seconds} s`));
  };

  #ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
    this.#sockets.push(socket);
    // A socket that fails when nobody waits for it any more is of no interest.
    socket.on('error', () => undefined);
    if (this.#idleMs !== undefined) socket.setTimeout(this.#idleMs, this.#idle);
    return new Promise((resolve, reject) => {
      socket.once(event, resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('it was closed')));
      if (this.#signal?.aborted) this.#abort();
    });
  }
}
