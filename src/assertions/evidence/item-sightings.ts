import type { AgentCall } from '../check.js';
import type { AskedFor } from '../matching/asked-for.js';
import { ItemMatcher } from '../matching/item-matcher.js';
import { callWords } from '../wording/call-words.js';
import { itemText } from '../wording/item-text.js';
import { shortJson } from '../wording/short-json.js';
import type { Redact } from '../wording/short-text.js';
import { KeptCalls } from './kept-calls.js';

const longestArgs = 200;

/** What was seen of one item: the calls that match it, and those that nearly do. */
export class ItemSightings {
  /** What the item asks for, in words. */
  readonly text: string;
  readonly matches = new KeptCalls();
  /** They match, but the proxy did not let them through. */
  readonly blocked = new KeptCalls();
  readonly #matcher: ItemMatcher;
  readonly #done: string;
  readonly #redact: Redact;
  /** They match, but failed where that does not count. */
  readonly #failed = new KeptCalls();
  /** All but the arguments match. */
  readonly #nearMisses = new KeptCalls();
  #otherArgs = '';

  constructor(asked: AskedFor, redact: Redact) {
    this.text = itemText(asked, redact);
    this.#matcher = new ItemMatcher(asked);
    this.#done = callWords[asked.kind].done;
    this.#redact = redact;
  }

  /** Whether the item is about this call, blocked or not. */
  see(call: AgentCall): boolean {
    const fit = this.#matcher.fit(call);
    if (fit === 'yes') (call.blocked ? this.blocked : this.matches).add(call.call);
    if (fit === 'failed') this.#failed.add(call.call);
    if (fit === 'other-arguments') this.#seeNearMiss(call);
    return fit === 'yes';
  }

  /** How it stands with an item that something has to match. */
  get account(): string {
    return this.matches.count > 0
      ? `${this.#done} (${this.matches.text})`
      : (this.nearest ?? `not ${this.#done}`);
  }

  /** What came closest to a match, if anything did. */
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
    this.#nearMisses.add(call.call);
    if (this.#nearMisses.numbers[0] !== call.call) return;
    const { args = {} } = call;
    this.#otherArgs = shortJson(args, longestArgs, this.#redact);
  }
}
