import type { ServerResponse } from 'node:http';
import { oneLine } from '../../events/one-line.js';

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
    this.#write(`event: message\ndata: ${oneLine(text)}\n\n`);
  }

  /** A reader that does not read would never let it end. */
  end(): void {
    if (this.#isSlow) this.#response.destroy();
    else this.#response.end();
  }

  /** Without waiting for a reader that does not read. */
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
