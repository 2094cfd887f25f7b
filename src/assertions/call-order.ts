import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { MatchingCalls, mergeCallNumbers } from './evidence.js';
import { type CallOrderItem, readCallOrderItem } from './item-matcher.js';
import type { Redact } from './wording.js';

const mostShown = 4;

/**
 * Asserts that the items arrive in this order, each as a separate call; other calls may lie between.
 * A blocked call does not count: nothing happened.
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
    const taken = this.#earliest();
    const missing = this.#items[taken.length];
    const details = this.#items.map((item, index) => `${item.text}: ${formatPlace(taken, index)}`);
    if (!missing) {
      const texts = this.#items.map(({ text }, index) => `${text} (call ${taken[index]})`);
      const reason = `the calls came in the expected order: ${formatSequence(texts)}`;
      return { passed: true, reason, details, callNumbers: mergeCallNumbers(taken) };
    }
    const expected = formatSequence(this.#items.map(({ text }) => text));
    const happened = this.#whatHappened(missing, taken);
    return {
      passed: false,
      reason: `expected ${expected}; ${happened}`,
      details,
      callNumbers: mergeCallNumbers([
        ...taken,
        ...missing.matches.numbers,
        ...missing.blocked.numbers,
        ...missing.failed.numbers,
      ]),
    };
  }

  /** Assigns a call to each item, as far as possible. The earliest call leaves most for later items. */
  #earliest(): number[] {
    const taken: number[] = [];
    for (const item of this.#items) {
      const next = item.firstAfter(taken.at(-1) ?? Number.NEGATIVE_INFINITY);
      if (next === undefined) break;
      taken.push(next);
    }
    return taken;
  }

  #whatHappened(missing: MatchingCalls, taken: readonly number[]): string {
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
  const hidden = texts.length - mostShown;
  const shown = texts.slice(0, mostShown).join(', then ');
  return hidden > 0 ? `${shown}, then ${hidden} more` : shown;
}
