import { isObject } from '../../../base/json.js';

/** A value as JSON on one line, cut after so many characters; what is not shown is not looked at. */
export function jsonBeginning(value: unknown, length: number): string {
  const writer = new JsonBeginning(length);
  writer.write(value);
  return writer.isFull ? `${writer.text.slice(0, length)} …` : writer.text;
}

class JsonBeginning {
  text = '';
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  get isFull(): boolean {
    return this.text.length > this.#length;
  }

  /** Every level of nesting takes a character, so it cannot go deep. */
  write(value: unknown): void {
    if (Array.isArray(value)) this.#writeList(value);
    else if (isObject(value)) this.#writeMap(value);
    else if (typeof value === 'string') this.#writeString(value);
    else this.text += String(value);
  }

  #writeList(list: readonly unknown[]): void {
    this.text += '[';
    for (const [index, item] of list.entries()) {
      if (this.isFull) return;
      if (index > 0) this.text += ',';
      this.write(item);
    }
    this.text += ']';
  }

  #writeMap(map: Readonly<Record<string, unknown>>): void {
    this.text += '{';
    for (const [index, key] of Object.keys(map).entries()) {
      if (this.isFull) return;
      if (index > 0) this.text += ',';
      this.#writeString(key);
      this.text += ':';
      this.write(map[key]);
    }
    this.text += '}';
  }

  #writeString(text: string): void {
    this.text += JSON.stringify(text.slice(0, this.#length + 1));
  }
}
