import { truncateWithCount } from './text.js';

/** Longer strings are truncated: they make a page slow. */
const maxStringLength = 256 * 1024;
/** Length of all strings of a value, after which only the beginnings of strings are kept. */
const maxLength = 16 * 1024 * 1024;
const shortLength = 1024;
/** Deeper values are replaced: JSON.stringify overflows the stack at a few thousand levels. */
const maxDepth = 200;

/** Writes a value of unknown size as JSON: long strings are truncated, deep nesting is replaced by a mark. */
export function stringifyBounded(value: unknown): string {
  return JSON.stringify(new Bounds().apply(value, 0));
}

class Bounds {
  #length = 0;

  /** Bounds a value; returns it unchanged if nothing has to change, which is nearly always. */
  apply(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === maxDepth) return '[... nested too deeply ...]';
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth);
  }

  #list(list: unknown[], depth: number): unknown[] {
    const bounded = list.map((item) => this.apply(item, depth + 1));
    return bounded.some((item, index) => item !== list[index]) ? bounded : list;
  }

  #object(object: object, depth: number): object {
    const entries = Object.entries(object);
    const bounded = entries.map(([key, value]) => [this.#text(key), this.apply(value, depth + 1)]);
    const isSame = bounded.every(
      ([key, value], index) => key === entries[index]?.[0] && value === entries[index]?.[1],
    );
    return isSame ? object : Object.fromEntries(bounded);
  }

  #text(text: string): string {
    const room = this.#length > maxLength ? shortLength : maxStringLength;
    const bounded = truncateWithCount(text, room);
    this.#length += bounded.length;
    return bounded;
  }
}
