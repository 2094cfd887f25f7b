import type { Upstream } from '../upstream.js';

interface Waiting {
  text: string;
  failed: (reason: string) => void;
}

/** In characters. A server that takes nothing must not fill our memory. */
const maxWaiting = 64 * 1024 * 1024;

/**
 * Posts messages in their order. The next one leaves when the one before has left, not when it is
 * answered: some servers answer when the work is done, and may need to be told something meanwhile.
 */
export class PostQueue {
  readonly #upstream: Upstream;
  readonly #waiting: Waiting[] = [];
  /** Characters that have not left. */
  #length = 0;
  #address: string | undefined;
  #isLeaving = false;
  #isClosed = false;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** From now on it is known where to post to. */
  open(address: string): void {
    this.#address = address;
    this.#next();
  }

  add(text: string, failed: (reason: string) => void): void {
    if (this.#length > maxWaiting) {
      failed('does not take its input');
      return;
    }
    this.#length += text.length;
    this.#waiting.push({ text, failed });
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
  }

  #next(): void {
    if (this.#address === undefined || this.#isLeaving || this.#isClosed) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const { text, failed } = next;
    this.#isLeaving = true;
    let hasLeft = false;
    // Told by whatever comes first: an answer may come before all of the request has left.
    const left = () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#isLeaving = false;
      this.#length -= text.length;
      this.#next();
    };
    this.#upstream.send({
      method: 'POST',
      url: this.#address,
      headers: { 'content-type': 'application/json' },
      body: text,
      sent: left,
      answered(answer) {
        answer.resume();
        const { statusCode = 0 } = answer;
        if (statusCode >= 300) failed(`answered with HTTP ${statusCode}`);
        left();
      },
      failed(reason) {
        failed(reason);
        left();
      },
    });
  }
}
