import type { AgentCall, Check, Verdict } from '../check.js';
import { ArrivedCalls } from '../evidence/arrived-calls.js';
import { distinctCalls } from '../evidence/kept-calls.js';
import { type CallOrderItem, callOrderAskedFor } from '../matching/asked-for.js';
import type { Redact } from '../wording/short-text.js';

const mostShown = 4;

/**
 * The items occur in this order of arrival, each as a call of its own; other calls may lie between.
 * A blocked call does not count: nothing happened.
 */
export class CallOrder implements Check {
  /** One for each item; equal items share theirs. */
  readonly #items: readonly ArrivedCalls[];
  readonly #distinct: readonly ArrivedCalls[];

  constructor(items: readonly CallOrderItem[], redact: Redact) {
    const byItem = new Map<string, ArrivedCalls>();
    this.#items = items.map((item) => {
      const asked = callOrderAskedFor(item);
      const key = JSON.stringify(asked);
      const calls = byItem.get(key) ?? new ArrivedCalls(asked, redact);
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
    const details = this.#items.map((item, index) => `${item.text}: ${account(taken, index)}`);
    if (!missing) {
      const texts = this.#items.map(({ text }, index) => `${text} (call ${taken[index]})`);
      const reason = `the calls came in the expected order: ${inOrder(texts)}`;
      return { passed: true, reason, details, calls: distinctCalls(taken) };
    }
    const expected = inOrder(this.#items.map(({ text }) => text));
    const happened = this.#whatHappened(missing, taken);
    return {
      passed: false,
      reason: `expected ${expected}; ${happened}`,
      details,
      calls: distinctCalls([
        ...taken,
        ...missing.matches.numbers,
        ...missing.blocked.numbers,
        ...missing.failed.numbers,
      ]),
    };
  }

  /** Numbers of calls for the items, as far as one gets. The earliest leaves most for the others. */
  #earliest(): number[] {
    const taken: number[] = [];
    for (const item of this.#items) {
      const next = item.firstAfter(taken.at(-1) ?? Number.NEGATIVE_INFINITY);
      if (next === undefined) break;
      taken.push(next);
    }
    return taken;
  }

  #whatHappened(missing: ArrivedCalls, taken: readonly number[]): string {
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

function account(taken: readonly number[], index: number): string {
  const call = taken[index];
  if (call !== undefined) return `call ${call}`;
  if (index > taken.length) return 'not looked for, as one before it is missing';
  return index === 0 ? 'missing' : `missing after call ${taken[index - 1]}`;
}

function inOrder(texts: readonly string[]): string {
  const hidden = texts.length - mostShown;
  const shown = texts.slice(0, mostShown).join(', then ');
  return hidden > 0 ? `${shown}, then ${hidden} more` : shown;
}
