import type { IncomingMessage } from 'node:http';
import { errorMessage } from '../../base/errors.js';
import { maxMessageLength } from '../../mcp/line-splitter.js';
import type { SeenEvents } from '../seen-events.js';
import type { Upstream } from '../upstream.js';
import type { BridgeSession } from './session.js';

/** What every exchange with the server shares. */
export interface BridgeContext {
  readonly upstream: Upstream;
  readonly address: ServerAddress;
  readonly session: BridgeSession;
  readonly seenEvents: SeenEvents;
  /** Passes a message of the server on to the client; false when it is not a JSON-RPC message. */
  deliver(text: string): Promise<boolean>;
  /** Prints a line for people, to standard error. */
  note(text: string): void;
}

interface HttpCall {
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

interface SentCall {
  /** Settles when the request has left this process, or never will. */
  sent: Promise<void>;
  response: Promise<IncomingMessage>;
}

/** One HTTP request to the server, as promises. The signal ends it, and reading the response too. */
export function callServer(
  { upstream, address }: Pick<BridgeContext, 'upstream' | 'address'>,
  method: 'POST' | 'GET' | 'DELETE',
  { headers, body, signal }: HttpCall,
): SentCall {
  const sent = new Milestone<void>();
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    signal.throwIfAborted();
    const call = upstream.send({
      method,
      headers,
      ...(body !== undefined && { body }),
      sent: () => sent.reach(),
      answered(answer) {
        answer.once('close', () => signal.removeEventListener('abort', abort));
        resolve(answer);
      },
      failed(reason, _code, cause) {
        signal.removeEventListener('abort', abort);
        reject(cause ?? new BridgeError(`${address.origin} ${reason}`));
      },
    });
    const abort = () => {
      call.destroy();
      reject(signal.reason);
    };
    // Taken off again: a stream that is opened anew for days has the same signal all the time.
    signal.addEventListener('abort', abort, { once: true });
  });
  const settled = () => sent.reach();
  response.then(settled, settled);
  return { sent: sent.reached, response };
}

/** Something that happens once, as a promise that settles when it does. */
export class Milestone<Value> {
  readonly reached: Promise<Value>;
  /** Settles the promise. Only the first call counts. */
  readonly reach: (value: Value) => void;

  constructor() {
    let settle: (value: Value) => void = () => {};
    this.reached = new Promise((resolve) => {
      settle = resolve;
    });
    this.reach = settle;
  }
}

export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type']?.trim() ?? '');
}

export async function readResponseBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxMessageLength) throw new Error(`it is longer than ${maxMessageLength} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw new BridgeError(`the answer broke off: ${describeReason(error)}`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Characters of a body that help to see what answered. */
const excerptLength = 200;

/** A message did not get through, or had no answer; the client gets this text as it is. */
export class BridgeError extends Error {
  override name = 'BridgeError';
}

/** What went wrong, in one line without the address's secret part. */
export function describeFailure(error: unknown, { origin }: ServerAddress): string {
  if (error instanceof BridgeError) return error.message;
  return `cannot reach ${origin}: ${describeReason(error)}`;
}

export function describeReason(error: unknown): string {
  // A name with several addresses: each was tried, and the error itself says nothing.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(describeReason).join(', ');
  }
  return errorMessage(error);
}

export function makeHttpError(
  { statusCode = 0 }: IncomingMessage,
  body: string,
  address: ServerAddress,
  meaning = statusCode >= 300 && statusCode < 400 ? 'give the URL that it leads to' : undefined,
): BridgeError {
  const parts = [`HTTP ${statusCode} from ${address.origin}`];
  if (meaning !== undefined) parts.push(`(${meaning})`);
  return new BridgeError(parts.join(' ') + formatExcerpt(body, address));
}

/** Makes the error for an answer that no client of MCP can understand. */
export function makeForeignAnswerError(
  response: IncomingMessage,
  body: string,
  address: ServerAddress,
): BridgeError {
  const type = response.headers['content-type'] ?? 'something without a content type';
  return new BridgeError(
    `${address.origin} answered with ${type}, not with a JSON-RPC message${formatExcerpt(body, address)}`,
  );
}

function formatExcerpt(body: string, address: ServerAddress): string {
  const text = address.redact(body).replace(/\s+/g, ' ').trim();
  return text === '' ? '' : `: ${[...text].slice(0, excerptLength).join('')}`;
}

/** What may be shown of the server's URL, as the rest of it can hold a token. */
export class ServerAddress {
  readonly origin: string;
  readonly #secrets: string[];

  constructor(url: URL) {
    this.origin = url.origin;
    this.#secrets = findSecrets(url);
  }

  /** Replaces the secret parts of the address: servers like to repeat it in what they answer. */
  redact(text: string): string {
    return this.#secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '...'), text);
  }
}

/** Everything in a URL that is long enough to be a secret, longest first. */
function findSecrets(url: URL): string[] {
  const { pathname, search, username, password } = url;
  const parts = [pathname + search, pathname, ...pathname.split('/'), username, password];
  return [...parts, ...url.searchParams.values()]
    .flatMap((part) => [part, decodePart(part)])
    .filter((part) => part.length >= 8)
    .sort((left, right) => right.length - left.length);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
