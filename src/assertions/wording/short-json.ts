import { isObject } from '../../base/json.js';
import { type Redact, shortText } from './short-text.js';

const longestString = 60;

/** The beginning of a value as JSON, without secrets, some `length` characters long at most. */
export function shortJson(value: unknown, length: number, redact: Redact): string {
  const writer = new ShortJsonWriter(length, redact);
  writer.write(value);
  return writer.text;
}

class ShortJsonWriter {
  text = '';
  readonly #length: number;
  readonly #redact: Redact;
  #isFull = false;

  constructor(length: number, redact: Redact) {
    this.#length = length;
    this.#redact = redact;
  }

  /** Every level of nesting takes a character, so it cannot go deep. */
  write(value: unknown): void {
    if (Array.isArray(value)) this.#writeMembers('[', value.entries(), ']');
    else if (isObject(value)) this.#writeMembers('{', entriesOf(value), '}');
    else if (typeof value === 'string') this.#append(this.#quoted(value));
    else this.#append(String(value));
  }

  #writeMembers(open: string, members: Iterable<[number | string, unknown]>, close: string): void {
    this.#append(open);
    let comma = '';
    for (const [key, value] of members) {
      if (this.#isFull) return;
      this.#append(typeof key === 'string' ? `${comma}${this.#quoted(key)}:` : comma);
      if (this.#isFull) return;
      this.write(value);
      comma = ',';
    }
    this.#append(close);
  }

  #quoted(text: string): string {
    return JSON.stringify(shortText(text, longestString, this.#redact));
  }

  #append(part: string): void {
    if (this.#isFull) return;
    this.#isFull = this.text.length + part.length > this.#length;
    this.text += this.#isFull ? '...' : part;
  }
}

function* entriesOf(map: Record<string, unknown>): Generator<[string, unknown]> {
  for (const key of Object.keys(map)) yield [key, map[key]];
}
