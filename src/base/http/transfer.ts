import type { IncomingMessage } from 'node:http';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { Connection } from './connection.js';
import { HttpError, toConnectionError } from './http-error.js';
import {
  type CheckedRequest,
  checkRequest,
  followRedirect,
  type HttpRequest,
} from './http-request.js';
import { findProxy } from './proxies.js';
import { openRoute, sendOverSocket } from './route.js';

export interface TransferOptions {
  signal?: AbortSignal;
  /** For proxies and certificates. */
  environment: NodeJS.ProcessEnv;
  /** How long nothing may come, in milliseconds. Without it, only the signal ends the waiting. */
  idleMs?: number;
  /** The most bytes that the decoded body may have. */
  maxBytes: number;
  /** Otherwise a redirect is the answer. */
  followRedirects?: boolean;
}

export interface AnswerHead {
  status: number;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  /** Where it comes from in the end; without credentials. */
  url: string;
  /** Addresses that the request was sent on to, in order; without credentials. */
  redirects: string[];
}

const maxRedirects = 10;

/**
 * Sends a request, each time over a connection of its own, and writes the body of the answer to
 * where `sinkFor` says; without a sink it is not read. Throws HttpError, or what the sink throws.
 */
export async function transfer(
  request: HttpRequest,
  options: TransferOptions,
  sinkFor: (head: AnswerHead) => Writable | undefined,
): Promise<AnswerHead> {
  const { followRedirects = true, maxBytes } = options;
  const redirects: string[] = [];
  let current = checkRequest(request);
  for (;;) {
    const connection = new Connection(options);
    try {
      const response = await sendRequest(current, connection, options.environment);
      const head = readHead(response, current.url, redirects);
      const next =
        followRedirects && followRedirect(current, head.status, response.headers.location);
      if (!next) {
        const sink = sinkFor(head);
        if (sink) await receive(response, sink, current, maxBytes);
        return head;
      }
      if (redirects.length === maxRedirects) throw tooManyRedirectsError(current.url);
      current = next;
      redirects.push(stripCredentials(current.url));
    } catch (error) {
      if (!options.signal?.aborted) throw error;
      throw new HttpError('aborted', 'the request was cancelled', { cause: error });
    } finally {
      connection.close();
    }
  }
}

/** Sends a request over a connection of its own; the body of the answer is still to come. */
export async function sendRequest(
  { url, method, headers, body }: CheckedRequest,
  connection: Connection,
  environment: NodeJS.ProcessEnv,
): Promise<IncomingMessage> {
  const route = await openRoute(connection, url, findProxy(url, environment));
  const sentHeaders = { host: url.host, ...route.headers, ...headers };
  return sendOverSocket(
    route.socket,
    { method, target: route.path, headers: sentHeaders, body },
    url.host,
  );
}

async function receive(
  response: IncomingMessage,
  sink: Writable,
  { url, method }: CheckedRequest,
  maxBytes: number,
): Promise<void> {
  // What follows is another protocol.
  if (response.statusCode === 101) return;
  const stages = makeBodyStages(method === 'HEAD' ? '' : getEncodings(response), maxBytes);
  try {
    await pipeline([response, ...stages, sink]);
  } catch (error) {
    throw toBodyError(error, url.host);
  }
}

/** Without a body there is nothing to decode, whatever the headers say. */
function getEncodings({ statusCode, headers }: IncomingMessage): string {
  const isEmpty = statusCode === 204 || statusCode === 304 || headers['content-length'] === '0';
  return isEmpty ? '' : (headers['content-encoding'] ?? '');
}

function readHead({ statusCode = 0, headers }: IncomingMessage, url: URL, redirects: string[]) {
  const texts = Object.entries(headers).map(([name, value = '']) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    status: statusCode,
    headers: Object.fromEntries(texts),
    url: stripCredentials(url),
    redirects,
  };
}

function tooManyRedirectsError({ host }: URL): HttpError {
  const message = `${host} redirects once more, after ${maxRedirects} redirects`;
  return new HttpError('too-many-redirects', message);
}

function stripCredentials(url: URL): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}

export interface HttpAnswer extends AnswerHead {
  body: Buffer;
}

/** Sends a request and keeps the answer in memory. Throws HttpError. */
export async function exchange(
  request: HttpRequest,
  options: TransferOptions,
): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  const head = await transfer(request, options, () => sink);
  return { ...head, body: Buffer.concat(chunks) };
}

/** No server encodes a body more often on purpose. */
const maxEncodings = 4;

/**
 * What a body goes through: decoding, though no encoding was asked for, and a limit for what comes
 * of it. An encoding that is not known stays.
 */
function makeBodyStages(encodings: string, maxBytes: number): Transform[] {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings) {
    throw new HttpError('malformed', `the body is encoded ${names.length} times over`);
  }
  const decoders = names.toReversed().map(makeDecoder);
  const unknown = decoders.indexOf(undefined);
  const usable = unknown === -1 ? decoders : decoders.slice(0, unknown);
  return [...usable.filter((decoder) => decoder !== undefined), makeLimiter(maxBytes)];
}

function makeDecoder(encoding: string): Transform | undefined {
  if (encoding === 'br') return createBrotliDecompress();
  return /^(x-)?gzip$|^deflate$/.test(encoding) ? createUnzip() : undefined;
}

function makeLimiter(maxBytes: number): Transform {
  let room = maxBytes;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      room -= chunk.length;
      if (room >= 0) done(null, chunk);
      else done(new HttpError('too-long', `the body is longer than ${maxBytes} bytes`));
    },
  });
}

/** What ended a body too early. What the system says about a file is not ours to explain. */
function toBodyError(error: unknown, host: string): unknown {
  if (error instanceof HttpError) return error;
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (/^(ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|HPE_)/.test(code))
    return toConnectionError(error, host);
  if (syscall !== undefined) return error;
  const text = `${host} sent a body that cannot be decoded: ${message}`;
  return new HttpError('malformed', text, { cause: error });
}
