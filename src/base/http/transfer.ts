import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { bodyError, bodyStages } from './body-stages.js';
import { Connection } from './connection.js';
import { HttpError } from './http-error.js';
import { type CheckedRequest, checkedRequest, type HttpRequest } from './http-request.js';
import { proxyFor } from './proxy-choice.js';
import { redirected } from './redirect.js';
import { openRoute } from './route.js';
import { send } from './send.js';

export interface TransferOptions {
  signal?: AbortSignal;
  /** For proxies and certificates. */
  environment: NodeJS.ProcessEnv;
  /** How long nothing may come, in milliseconds. Without it, only the signal ends the waiting. */
  idleMs?: number;
  /** Of the body, decoded. */
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
  let current = checkedRequest(request);
  for (;;) {
    const connection = new Connection(options);
    try {
      const response = await answerTo(current, connection, options.environment);
      const head = headOf(response, current.url, redirects);
      const next = followRedirects && redirected(current, head.status, response.headers.location);
      if (!next) {
        const sink = sinkFor(head);
        if (sink) await receive(response, sink, current, maxBytes);
        return head;
      }
      if (redirects.length === maxRedirects) throw tooManyRedirects(current.url);
      current = next;
      redirects.push(withoutCredentials(current.url));
    } catch (error) {
      if (!options.signal?.aborted) throw error;
      throw new HttpError('aborted', 'the request was called off', { cause: error });
    } finally {
      connection.close();
    }
  }
}

/** Sends a request over a connection of its own; the body of the answer is still to come. */
export async function answerTo(
  { url, method, headers, body }: CheckedRequest,
  connection: Connection,
  environment: NodeJS.ProcessEnv,
): Promise<IncomingMessage> {
  const route = await openRoute(connection, url, proxyFor(url, environment));
  const sentHeaders = { host: url.host, ...route.headers, ...headers };
  return send(route.socket, { method, target: route.path, headers: sentHeaders, body }, url.host);
}

async function receive(
  response: IncomingMessage,
  sink: Writable,
  { url, method }: CheckedRequest,
  maxBytes: number,
): Promise<void> {
  // What follows is another protocol.
  if (response.statusCode === 101) return;
  const stages = bodyStages(method === 'HEAD' ? '' : encodingsOf(response), maxBytes);
  try {
    await pipeline([response, ...stages, sink]);
  } catch (error) {
    throw bodyError(error, url.host);
  }
}

/** Of no body at all there is nothing to decode, whatever the headers say. */
function encodingsOf({ statusCode, headers }: IncomingMessage): string {
  const isEmpty = statusCode === 204 || statusCode === 304 || headers['content-length'] === '0';
  return isEmpty ? '' : (headers['content-encoding'] ?? '');
}

function headOf({ statusCode = 0, headers }: IncomingMessage, url: URL, redirects: string[]) {
  const texts = Object.entries(headers).map(([name, value = '']) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ]);
  return {
    status: statusCode,
    headers: Object.fromEntries(texts),
    url: withoutCredentials(url),
    redirects,
  };
}

function tooManyRedirects({ host }: URL): HttpError {
  const message = `${host} redirects once more, after ${maxRedirects} redirects`;
  return new HttpError('too-many-redirects', message);
}

function withoutCredentials(url: URL): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}
