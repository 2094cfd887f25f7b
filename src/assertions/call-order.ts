import type { AgentCall, Assertion, Verdict } from './assertion.js';
import {
  type CallOrderItem,
  type ExpectedCall,
  ItemMatcher,
  readCallOrderItem,
} from './item-matcher.js';
import { CallNumbers, mergeCallNumbers } from './seen-calls.js';
import { callWords, formatExpectedCall, type Redact } from './wording.js';

const maxShownItems = 4;

/**
 * Asserts that the items were called in their order, each by a call of its own. Other calls may lie between. A
 * blocked call does not count: nothing happened.
 */
export class CallOrder implements Assertion {
  /** The calls that match each item; equal items share theirs. */
  readonly #items: readonly MatchingCalls[];
  readonly #distinct: readonly MatchingCalls[];

  constructor(items: readonly CallOrderItem[], redact: Redact) {
    const byItem = new Map<string, MatchingCalls>();
    this.#items = items.map((item) => {
      const expected = readCallOrderItem(item);
      const key = JSON.stringify(expected);
      const calls = byItem.get(key) ?? new MatchingCalls(expected, redact);
      byItem.set(key, calls);
      return calls;
    });
    this.#distinct = [...byItem.values()];
  }

  see(call: AgentCall): void {
    for (const calls of this.#distinct) calls.see(call);
  }

  verdict(): Verdict {
    const taken = this.#assignCalls();
    const missing = this.#items[taken.length];
    const details = this.#items.map((item, index) => `${item.text}: ${formatPlace(taken, index)}`);
    if (!missing) {
      const texts = this.#items.map(({ text }, index) => `${text} (call ${taken[index]})`);
      const reason = `the calls came in the expected order: ${formatSequence(texts)}`;
      return { passed: true, reason, details, calls: mergeCallNumbers(taken) };
    }
    const expected = formatSequence(this.#items.map(({ text }) => text));
    const happened = this.#describeMissing(missing, taken);
    return {
      passed: false,
      reason: `expected ${expected}; ${happened}`,
      details,
      calls: mergeCallNumbers([
        ...taken,
        ...missing.matches.numbers,
        ...missing.blocked.numbers,
        ...missing.failed.numbers,
      ]),
    };
  }

  /**
   * Assigns a call to each item, up to the first item that has none. It takes the earliest call possible, which
   * leaves the most calls for later items.
   */
  #assignCalls(): number[] {
    const taken: number[] = [];
    for (const item of this.#items) {
      const next = item.findFirstAfter(taken.at(-1) ?? Number.NEGATIVE_INFINITY);
      if (next === undefined) break;
      taken.push(next);
    }
    return taken;
  }

  #describeMissing(missing: MatchingCalls, taken: readonly number[]): string {
    const { text, done, matches, blocked, failed } = missing;
    const previous = this.#items[taken.length - 1];
    if (previous && matches.count > 0) {
      const more =
        previous === missing ? 'once more' : `after ${previous.text} (call ${taken.at(-1)})`;
      return `${text} was ${done} (${matches.text}), but not ${more}`;
    }
    if (blocked.count > 0) {
      return `${text} was tried, but blocked by the MCP config (${blocked.text})`;
    }
    if (failed.count > 0) return `${text} was ${done}, but failed (${failed.text})`;
    return `${text} was not ${done}`;
  }
}

function formatPlace(taken: readonly number[], index: number): string {
  const call = taken[index];
  if (call !== undefined) return `call ${call}`;
  if (index > taken.length) return 'not checked: an earlier call is missing';
  return index === 0 ? 'missing' : `missing after call ${taken[index - 1]}`;
}

function formatSequence(texts: readonly string[]): string {
  const hidden = texts.length - maxShownItems;
  const shown = texts.slice(0, maxShownItems).join(', then ');
  return hidden > 0 ? `${shown}, then ${hidden} more` : shown;
}

/** All calls that match one item. Every number is kept, as any of them may be the one that is in order. */
class MatchingCalls {
  /** The expected call in words. */
  readonly text: string;
  /** The verb for calls of this kind, such as `called`. */
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
    const match = this.#matcher.match(call);
    if (match === 'failed') this.failed.add(call.number);
    if (match !== 'yes') return;
    if (call.blocked) this.blocked.add(call.number);
    else this.#numbers.push(call.number);
  }

  /** The matching calls, for a verdict. */
  get matches(): CallNumbers {
    const kept = new CallNumbers();
    for (const number of this.#numbers) kept.add(number);
    return kept;
  }

  /** Finds the first match after a call. A scan is cheaper than keeping the numbers sorted. */
  findFirstAfter(call: number): number | undefined {
    let first: number | undefined;
    for (const number of this.#numbers) {
      if (number > call && (first === undefined || number < first)) first = number;
    }
    return first;
  }
}
