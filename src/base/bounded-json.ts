import { truncateWithCount } from './text.js';

/** Longest string of a value; what is longer makes a page slow, and nobody reads it there. */
const maxStringLength = 256 * 1024;
/** Strings of one value together, after which only the beginnings are kept. */
const maxLength = 16 * 1024 * 1024;
const shortLength = 1024;
/** JSON.stringify overflows the stack somewhere beyond a few thousand. */
const maxDepth = 200;

/** The JSON of a value from outside: long strings are cut, deep nesting is replaced by a mark. */
export function stringifyBounded(value: unknown): string {
  return JSON.stringify(new Bounds().of(value, 0));
}

class Bounds {
  #length = 0;

  /** The value itself where nothing has to change, which is nearly always. */
  of(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === maxDepth) return '[... nested too deeply ...]';
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth);
  }

  #list(list: unknown[], depth: number): unknown[] {
    const bounded = list.map((item) => this.of(item, depth + 1));
    return bounded.some((item, index) => item !== list[index]) ? bounded : list;
  }

  #object(object: object, depth: number): object {
    const entries = Object.entries(object);
    const bounded = entries.map(([key, value]) => [this.#text(key), this.of(value, depth + 1)]);
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
