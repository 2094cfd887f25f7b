import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import {
  connect as connectTls,
  createSecureContext,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import { HttpError, toConnectionError } from './http-error.js';
import { getPort, normalizeHost } from './proxies.js';

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
      host: normalizeHost(url.hostname),
      port: Number(getPort(url)),
      noDelay: true,
    });
    try {
      await this.#ready(socket, 'connect');
    } catch (error) {
      throw toConnectionError(error, url.host);
    }
    return url.protocol === 'https:' ? this.encrypt(socket, url) : socket;
  }

  /** Starts TLS over an open connection, with the server of a URL. */
  async encrypt(inner: Socket, url: URL): Promise<Socket> {
    const host = normalizeHost(url.hostname);
    const secureContext = loadCertificates(this.#environment);
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
      const message = `there is no secure connection to ${url.host}: ${describeTlsError(error)}`;
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
    // A socket that fails after it was abandoned is of no interest.
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

/** What the codes mean whose own text is about something else, or too long. */
const knownReasons: Readonly<Record<string, string>> = {
  ECONNRESET: 'it closed the connection',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** OpenSSL puts what it means between addresses in memory and places in its source. */
const openSslText = /:error:[^:]*:[^:]*:[^:]*:([^:]+)/;

/** Why there is no TLS connection. */
export function describeTlsError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return knownReasons[code] ?? openSslText.exec(message)?.[1] ?? message;
}

/** By the names of the files: to read all the certificates takes longer than to connect. */
const contexts = new Map<string, SecureContext>();

/**
 * Trusts the certificates that the environment names, besides those that are known. None: only
 * those, as without it. Throws HttpError.
 */
export function loadCertificates(environment: NodeJS.ProcessEnv): SecureContext | undefined {
  const names = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].filter((name) => environment[name]);
  if (names.length === 0) return undefined;
  const key = JSON.stringify(names.map((name) => environment[name]));
  const known = contexts.get(key);
  if (known) return known;
  const extra = names.map((name) => readCertificates(name, environment[name]));
  const context = createSecureContext({ ca: [...rootCertificates, ...extra] });
  contexts.set(key, context);
  return context;
}

function readCertificates(name: string, path = ''): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new HttpError('environment', `the file that ${name} names cannot be read`, {
      cause: error,
    });
  }
}
