import { truncate } from '../../base/text.js';

/** A text that comes in pieces, of which the beginning is kept. */
export class BoundedText {
  readonly #maxLength: number;
  #text = '';
  #isBlank = true;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get isBlank(): boolean {
    return this.#isBlank;
  }

  get text(): string {
    return truncate(this.#text, this.#maxLength);
  }

  add(piece: string): void {
    // One character more than allowed tells that it was longer.
    const kept = piece.slice(0, Math.max(0, this.#maxLength + 1 - this.#text.length));
    this.#text += kept;
    this.#isBlank &&= kept.trim() === '';
  }
}
