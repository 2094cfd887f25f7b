import { enumeration } from '../wording/enumeration.js';

/** More than anybody looks at. */
const mostKept = 100;

/** Numbers of calls, ascending: of many the first or the last ones, in whatever order they come. */
export class KeptCalls {
  count = 0;
  readonly #kept: number[] = [];
  readonly #end: 'first' | 'last';

  constructor(end: 'first' | 'last' = 'first') {
    this.#end = end;
  }

  get numbers(): readonly number[] {
    return this.#kept;
  }

  add(call: number): void {
    this.count++;
    // What is no call of a server, such as loading a skill, has no number.
    if (call === 0) return;
    // Calls end nearly in the order in which they arrived: the place is at the end, or close to it.
    const before = this.#kept.findLastIndex((other) => other < call);
    this.#kept.splice(before + 1, 0, call);
    if (this.#kept.length <= mostKept) return;
    if (this.#end === 'first') this.#kept.pop();
    else this.#kept.shift();
  }

  /** `call 3`, `calls 3, 5 and 7 more`. */
  get text(): string {
    if (this.#kept.length === 0) return this.count === 1 ? 'once' : `${this.count} times`;
    return `${this.count === 1 ? 'call' : 'calls'} ${enumeration(this.#kept.map(String), this.count)}`;
  }
}

/** Numbers of calls from several collections as one: ascending, each once. */
export function distinctCalls(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((left, right) => left - right).slice(0, mostKept);
}
