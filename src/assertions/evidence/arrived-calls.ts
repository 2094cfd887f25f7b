import type { AgentCall } from '../check.js';
import type { AskedFor } from '../matching/asked-for.js';
import { ItemMatcher } from '../matching/item-matcher.js';
import { callWords } from '../wording/call-words.js';
import { itemText } from '../wording/item-text.js';
import type { Redact } from '../wording/short-text.js';
import { KeptCalls } from './kept-calls.js';

/** The calls that match one item: of each its number in the order of arrival, and nothing else. */
export class ArrivedCalls {
  /** What the item asks for, in words. */
  readonly text: string;
  /** How one says that it happened. */
  readonly done: string;
  readonly blocked = new KeptCalls();
  /** They match, but failed where that does not count. */
  readonly failed = new KeptCalls();
  readonly #matcher: ItemMatcher;
  readonly #numbers: number[] = [];

  constructor(asked: AskedFor, redact: Redact) {
    this.text = itemText(asked, redact);
    this.done = callWords[asked.kind].done;
    this.#matcher = new ItemMatcher(asked);
  }

  see(call: AgentCall): void {
    const fit = this.#matcher.fit(call);
    if (fit === 'failed') this.failed.add(call.call);
    if (fit !== 'yes') return;
    if (call.blocked) this.blocked.add(call.call);
    else this.#numbers.push(call.call);
  }

  /** The first of them, and how many there are. */
  get matches(): KeptCalls {
    const kept = new KeptCalls();
    for (const number of this.#numbers) kept.add(number);
    return kept;
  }

  /** In whatever order they were seen: one look at each is cheaper than keeping them sorted. */
  firstAfter(call: number): number | undefined {
    let first: number | undefined;
    for (const number of this.#numbers) {
      if (number > call && (first === undefined || number < first)) first = number;
    }
    return first;
  }
}
