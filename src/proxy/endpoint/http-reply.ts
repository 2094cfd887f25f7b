import type { ServerResponse } from 'node:http';
import { readTextAt, toSingleLine } from '../../base/json-text.js';
import { errorCodes } from '../../mcp/message.js';
import type { Exchange } from './peer.js';

interface ReplyOptions {
  /** How many requests the POST carried. */
  requests: number;
  isBatch: boolean;
  /** What the agent said it can read. */
  acceptsStream: boolean;
  /** Requests of the stateless era have errors that come with an HTTP status of their own. */
  isStateless: boolean;
  /** Headers of the reply; `answer` is passed if it is the whole body. */
  headers(answer?: string): Record<string, string>;
  slow(writer: EventStreamWriter): void;
  drained(writer: EventStreamWriter): void;
}

/** Silence after which a reply becomes a stream: clients do not wait for headers for ever. */
const streamDelay = 5000;

/**
 * The reply to a POST. It stays open until every request in it is answered, and becomes a stream
 * when there is more to say than the one answer.
 */
export class PostReply implements Exchange {
  readonly #response: ServerResponse;
  readonly #options: ReplyOptions;
  readonly #answers: string[] = [];
  readonly #timer: NodeJS.Timeout | undefined;
  #open: number;
  #stream: EventStreamWriter | undefined;

  constructor(response: ServerResponse, options: ReplyOptions) {
    this.#response = response;
    this.#options = options;
    this.#open = options.requests;
    if (options.acceptsStream) {
      this.#timer = setTimeout(() => this.#startStream(), streamDelay).unref();
    }
    response.once('close', () => clearTimeout(this.#timer));
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** A message that is no answer; false if it cannot go this way. */
  deliver(text: string): boolean {
    if (!this.isOpen || !this.#options.acceptsStream) return false;
    this.#startStream().send(text);
    return true;
  }

  answer(text: string): void {
    this.#open -= 1;
    if (this.#stream) this.#stream.send(text);
    else this.#answers.push(text);
    if (this.#open <= 0) this.#finish();
  }

  end(): void {
    this.#open -= 1;
    if (this.#open <= 0) this.#finish();
  }

  #startStream(): EventStreamWriter {
    if (this.#stream) return this.#stream;
    clearTimeout(this.#timer);
    const stream: EventStreamWriter = new EventStreamWriter(this.#response, {
      headers: this.#options.headers(),
      slow: () => this.#options.slow(stream),
      drained: () => this.#options.drained(stream),
    });
    this.#stream = stream;
    for (const answer of this.#answers) stream.send(answer);
    return stream;
  }

  #finish(): void {
    clearTimeout(this.#timer);
    if (!this.isOpen) return;
    if (this.#stream) {
      this.#stream.end();
      return;
    }
    const { headers, isBatch, isStateless, acceptsStream } = this.#options;
    const [only] = this.#answers;
    if (only === undefined) {
      if (acceptsStream) this.#startStream().end();
      else this.#response.writeHead(202, headers()).end();
      return;
    }
    const body = Buffer.from(isBatch ? `[${this.#answers.join(',')}]` : only);
    const status = isStateless && !isBatch ? chooseStatus(only) : 200;
    this.#response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': body.length,
      ...headers(only),
    });
    this.#response.end(body);
  }
}

/** Bytes that may wait for a slow reader before the server is asked to wait too. */
const maxWaiting = 1024 * 1024;

/** Silence after which a line that means nothing is sent: clients give up on silent streams. */
const keepAliveInterval = 15_000;

interface WriterOptions {
  headers: Record<string, string>;
  /** More waits than should. `drained` follows, unless the stream is closed before. */
  slow(): void;
  drained(): void;
}

/** Writes messages to a text/event-stream. */
export class EventStreamWriter {
  readonly #response: ServerResponse;
  readonly #options: WriterOptions;
  readonly #keepAlive: NodeJS.Timeout;
  #isSlow = false;

  constructor(response: ServerResponse, options: WriterOptions) {
    this.#response = response;
    this.#options = options;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...options.headers,
    });
    response.flushHeaders();
    this.#keepAlive = setInterval(() => this.#write(':\n\n'), keepAliveInterval).unref();
    response.on('drain', () => this.#drained());
    response.once('close', () => {
      clearInterval(this.#keepAlive);
      this.#drained();
    });
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  send(text: string): void {
    this.#write(`event: message\ndata: ${toSingleLine(text)}\n\n`);
  }

  /** A reader that does not read would never let it end. */
  end(): void {
    if (this.#isSlow) this.#response.destroy();
    else this.#response.end();
  }

  /** Closes the stream without waiting for a reader that does not read. */
  destroy(): void {
    this.#response.destroy();
  }

  #write(text: string): void {
    if (!this.isOpen) return;
    this.#response.write(text);
    if (this.#isSlow || this.#response.writableLength <= maxWaiting) return;
    this.#isSlow = true;
    this.#options.slow();
  }

  #drained(): void {
    if (!this.#isSlow) return;
    this.#isSlow = false;
    this.#options.drained();
  }
}

/** Errors of the stateless era for which the HTTP transport has a status too. */
const statuses: ReadonlyMap<number, number> = new Map([
  [errorCodes.parseError, 400],
  [errorCodes.invalidRequest, 400],
  [errorCodes.methodNotFound, 404],
  [errorCodes.headerMismatch, 400],
  [errorCodes.missingClientCapability, 400],
  [errorCodes.unsupportedProtocolVersion, 400],
]);

export function chooseStatus(answer: string): number {
  const code = readTextAt(answer, ['error', 'code']);
  return (code !== undefined && statuses.get(Number(code))) || 200;
}
