import { textAt } from '../json-span.js';
import type { Message } from '../message.js';
import { isHarness, type Peer } from './peer.js';

/**
 * The one `initialize` that a shared server gets. Whoever comes later is given the same result, and
 * whoever comes while it is under way waits for it.
 */
export class Handshake {
  /** Who did it: the server's idea of its client. A step of ours makes room for the agent. */
  initialiser: Peer | undefined;
  /** What the server knows of its client is what we said, whoever uses it now. */
  isOurs = false;
  /** What the server answered, as JSON text. */
  result: string | undefined;
  #isUnderWay = false;
  #isComplete = false;
  #waiting: (() => void)[] = [];

  /** True if this one is to be sent; otherwise `later` is called when there is news. */
  begin(peer: Peer, later: () => void): boolean {
    if (this.#isUnderWay) {
      this.#waiting.push(later);
      return false;
    }
    this.#isUnderWay = true;
    this.initialiser = peer;
    this.isOurs = isHarness(peer);
    return true;
  }

  /** Somebody who was given the result of another. */
  join(peer: Peer): void {
    if (this.initialiser && isHarness(this.initialiser)) this.initialiser = peer;
  }

  /** True if the server has not yet been told that the handshake is complete. */
  complete(): boolean {
    const isFirst = !this.#isComplete;
    this.#isComplete = true;
    return isFirst;
  }

  /** The server's answer, or nothing if there will be none: then the next one may try. */
  end(answer?: Message): void {
    if (!this.#isUnderWay) return;
    this.#isUnderWay = false;
    this.result = answer && textAt(answer.text, ['result']);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
  }
}
