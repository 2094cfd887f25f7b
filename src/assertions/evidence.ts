import { plural } from '../base/text.js';
import type { CallKind } from '../config/schemas/assertions-schema.js';
import type { AgentCall } from './assertion.js';
import { type ExpectedCall, ItemMatcher } from './item-matcher.js';
import {
  callWords,
  formatCallName,
  formatExpectedCall,
  formatShortJson,
  joinWithAnd,
  type Redact,
} from './wording.js';

/** How many call numbers a verdict lists, which is more than users read. */
const mostKept = 100;

/** Ascending numbers of calls. Only the first or the last ones are kept, in whatever order they come. */
export class CallNumbers {
  count = 0;
  readonly #kept: number[] = [];
  readonly #keep: 'first' | 'last';

  /** `keep` says which calls to keep when there are too many. */
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
    // Calls end nearly in the order of arrival, so the place is at the end or close to it.
    const before = this.#kept.findLastIndex((other) => other < call);
    this.#kept.splice(before + 1, 0, call);
    if (this.#kept.length <= mostKept) return;
    if (this.#keep === 'first') this.#kept.pop();
    else this.#kept.shift();
  }

  /** `call 3`, `calls 3, 5 and 7 more`. */
  get text(): string {
    if (this.#kept.length === 0) return this.count === 1 ? 'once' : `${this.count} times`;
    return `${this.count === 1 ? 'call' : 'calls'} ${joinWithAnd(this.#kept.map(String), this.count)}`;
  }
}

/** Merges numbers of calls: ascending, without duplicates. */
export function mergeCallNumbers(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((left, right) => left - right).slice(0, mostKept);
}

/** How many names are counted, as an agent may invent any number of them. */
const mostNames = 50;
const mostShown = 6;

interface Entry {
  text: string;
  count: number;
  first: number;
}

/**
 * Says in words which calls were made, for the sentence of a verdict. It is not for counting calls of each
 * tool: names are cut, blocked calls are apart, and only the first 50 names are known.
 */
export class CallNameSummary {
  count = 0;
  readonly #entries = new Map<string, Entry>();
  readonly #redact: Redact;
  #isOverflown = false;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  add(call: AgentCall): void {
    this.count++;
    const text = `${formatCallName(call, this.#redact)}${call.blocked ? ' (blocked)' : ''}`;
    const entry = this.#entries.get(text);
    if (entry) {
      entry.count++;
      entry.first = Math.min(entry.first, call.number);
    } else if (this.#entries.size < mostNames) {
      this.#entries.set(text, { text, count: 1, first: call.number });
    } else {
      this.#isOverflown = true;
    }
  }

  /** `docs.search (2x) and docs.read`: the most frequent ones first, then in order of arrival. */
  get text(): string {
    // Which names were counted depends on the order in which calls ended; a verdict must not.
    if (this.#isOverflown) return `more than ${mostNames} names in ${plural(this.count, 'call')}`;
    const entries = [...this.#entries.values()].sort(
      (left, right) => right.count - left.count || left.first - right.first,
    );
    const texts = entries.map(({ text, count }) => (count === 1 ? text : `${text} (${count}x)`));
    return joinWithAnd(texts, texts.length, mostShown);
  }
}

const longestArgs = 200;

/** The calls that match one item, and those that nearly do. */
export class ItemMatches {
  /** The expected call in words. */
  readonly text: string;
  readonly matches = new CallNumbers();
  /** Matching calls that the proxy blocked. */
  readonly blocked = new CallNumbers();
  readonly #matcher: ItemMatcher;
  readonly #done: string;
  readonly #redact: Redact;
  /** Matching calls that failed, where only successful ones count. */
  readonly #failed = new CallNumbers();
  /** Calls that match but for their arguments. */
  readonly #nearMisses = new CallNumbers();
  #otherArgs = '';

  constructor(expected: ExpectedCall, redact: Redact) {
    this.text = formatExpectedCall(expected, redact);
    this.#matcher = new ItemMatcher(expected);
    this.#done = callWords[expected.kind].done;
    this.#redact = redact;
  }

  /** Takes a call; returns whether it matches, blocked or not. */
  see(call: AgentCall): boolean {
    const fit = this.#matcher.fit(call);
    if (fit === 'yes') (call.blocked ? this.blocked : this.matches).add(call.number);
    if (fit === 'failed') this.#failed.add(call.number);
    if (fit === 'other-arguments') this.#seeNearMiss(call);
    return fit === 'yes';
  }

  /** Says whether the item was called, else what came closest. */
  get account(): string {
    return this.matches.count > 0
      ? `${this.#done} (${this.matches.text})`
      : (this.nearest ?? `not ${this.#done}`);
  }

  /** What came closest to a match; undefined if nothing did. */
  get nearest(): string | undefined {
    if (this.blocked.count > 0)
      return `tried, but blocked by the MCP config (${this.blocked.text})`;
    if (this.#failed.count > 0) return `${this.#done}, but failed (${this.#failed.text})`;
    if (this.#nearMisses.count === 0) return undefined;
    return `${this.#done}, but with other arguments: ${this.#otherArgs} (${this.#nearMisses.text})`;
  }

  get nearestCalls(): readonly number[] {
    return [...this.blocked.numbers, ...this.#failed.numbers, ...this.#nearMisses.numbers];
  }

  #seeNearMiss(call: AgentCall): void {
    this.#nearMisses.add(call.number);
    if (this.#nearMisses.numbers[0] !== call.number) return;
    const { args = {} } = call;
    this.#otherArgs = formatShortJson(args, longestArgs, this.#redact);
  }
}

/** The numbers of all calls that match one item of an order. */
export class MatchingCalls {
  /** The expected call in words. */
  readonly text: string;
  /** The participle for calls of this kind, such as `called`. */
  readonly done: string;
  readonly blocked = new CallNumbers();
  /** Matching calls that failed, where only successful ones count. */
  readonly failed = new CallNumbers();
  readonly #matcher: ItemMatcher;
  readonly #numbers: number[] = [];

  constructor(expected: ExpectedCall, redact: Redact) {
    this.text = formatExpectedCall(expected, redact);
    this.done = callWords[expected.kind].done;
    this.#matcher = new ItemMatcher(expected);
  }

  see(call: AgentCall): void {
    const fit = this.#matcher.fit(call);
    if (fit === 'failed') this.failed.add(call.number);
    if (fit !== 'yes') return;
    if (call.blocked) this.blocked.add(call.number);
    else this.#numbers.push(call.number);
  }

  /** The matching calls as bounded numbers. */
  get matches(): CallNumbers {
    const kept = new CallNumbers();
    for (const number of this.#numbers) kept.add(number);
    return kept;
  }

  /** The first match after a call. A scan is cheaper than keeping the numbers sorted. */
  firstAfter(call: number): number | undefined {
    let first: number | undefined;
    for (const number of this.#numbers) {
      if (number > call && (first === undefined || number < first)) first = number;
    }
    return first;
  }
}

/** Describes what the agent did instead of the missing calls: what came closest, else all its calls. */
export function describeCallsInstead(
  kind: CallKind,
  callNames: CallNameSummary,
  missing: readonly ItemMatches[],
): string {
  const near = missing.find(({ nearest }) => nearest !== undefined);
  if (near) return `${missing.length === 1 ? 'it' : near.text} was ${near.nearest}`;
  const { done, none } = callWords[kind];
  return callNames.count === 0 ? `the agent ${none}` : `the agent only ${done} ${callNames.text}`;
}
