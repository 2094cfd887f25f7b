import { plural } from '../base/text.js';
import type { AgentCall } from './assertion.js';
import { formatCallName, joinWithAnd, type Redact } from './wording.js';

/** How many call numbers a verdict lists at most, which is more than users read. */
const maxNumbers = 100;

/**
 * Counts calls and keeps their numbers, ascending. If there are too many, it keeps the lowest or the highest
 * numbers, whatever the order in which they are added.
 */
export class CallNumbers {
  count = 0;
  readonly #kept: number[] = [];
  readonly #keep: 'first' | 'last';

  /** `keep` says which numbers to keep when there are too many. */
  constructor(keep: 'first' | 'last' = 'first') {
    this.#keep = keep;
  }

  get numbers(): readonly number[] {
    return this.#kept;
  }

  add(call: number): void {
    this.count++;
    // Loading a skill is not a call of a server, and has no number.
    if (call === 0) return;
    // Calls end nearly in the order of arrival, so that the search begins at the end.
    const before = this.#kept.findLastIndex((other) => other < call);
    this.#kept.splice(before + 1, 0, call);
    if (this.#kept.length <= maxNumbers) return;
    if (this.#keep === 'first') this.#kept.pop();
    else this.#kept.shift();
  }

  /** `call 3`, `calls 2, 3, 7, 9 and 2 more`; `once` or `3 times` for skills, which have no number. */
  get text(): string {
    if (this.#kept.length === 0) return this.count === 1 ? 'once' : `${this.count} times`;
    return `${this.count === 1 ? 'call' : 'calls'} ${joinWithAnd(this.#kept.map(String), this.count)}`;
  }
}

/** Merges call numbers for a verdict: ascending, each once, and not too many. */
export function mergeCallNumbers(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((left, right) => left - right).slice(0, maxNumbers);
}

/** How many names are counted: an agent may invent any number of them. */
const maxNames = 50;
const maxShownNames = 6;

interface CalledName {
  text: string;
  count: number;
  firstCall: number;
}

/**
 * Says in words which calls were made, for the sentence of a verdict. Not for counting calls of each
 * tool: long names are truncated, blocked calls are counted separately, and after 50 names no more are added.
 */
export class CallNameSummary {
  count = 0;
  readonly #names = new Map<string, CalledName>();
  readonly #redact: Redact;
  #hasTooManyNames = false;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  add(call: AgentCall): void {
    this.count++;
    const text = `${formatCallName(call, this.#redact)}${call.blocked ? ' (blocked)' : ''}`;
    const known = this.#names.get(text);
    if (known) {
      known.count++;
      known.firstCall = Math.min(known.firstCall, call.number);
    } else if (this.#names.size < maxNames) {
      this.#names.set(text, { text, count: 1, firstCall: call.number });
    } else {
      this.#hasTooManyNames = true;
    }
  }

  /** `docs.search (2x) and docs.read`: the most frequent ones first, then in order of arrival. */
  get text(): string {
    // Which names were counted depends on the order in which calls ended. A verdict must not depend on it.
    if (this.#hasTooManyNames)
      return `more than ${maxNames} names in ${plural(this.count, 'call')}`;
    const names = [...this.#names.values()].sort(
      (left, right) => right.count - left.count || left.firstCall - right.firstCall,
    );
    const texts = names.map(({ text, count }) => (count === 1 ? text : `${text} (${count}x)`));
    return joinWithAnd(texts, texts.length, maxShownNames);
  }
}
