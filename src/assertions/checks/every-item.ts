import type { CallKind } from '../../config/files/assertion-items.js';
import type { AgentCall, Check, Verdict } from '../check.js';
import { CallTally } from '../evidence/call-tally.js';
import { ItemSightings } from '../evidence/item-sightings.js';
import { distinctCalls } from '../evidence/kept-calls.js';
import type { AskedFor } from '../matching/asked-for.js';
import { callWords } from '../wording/call-words.js';
import { enumeration } from '../wording/enumeration.js';
import type { Redact } from '../wording/short-text.js';
import { whatHappened } from '../wording/what-happened.js';

/** Each item matches at least one call. A blocked call does not count: nothing happened. */
export class EveryItem implements Check {
  readonly #kind: CallKind;
  readonly #items: readonly ItemSightings[];
  readonly #tally: CallTally;

  constructor(kind: CallKind, items: readonly AskedFor[], redact: Redact) {
    this.#kind = kind;
    this.#items = items.map((asked) => new ItemSightings(asked, redact));
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== this.#kind) return;
    this.#tally.add(call);
    for (const item of this.#items) item.see(call);
  }

  verdict(): Verdict {
    const missing = this.#items.filter(({ matches }) => matches.count === 0);
    const details = this.#items.map(({ text, account }) => `${text}: ${account}`);
    if (missing.length > 0) return this.#failure(missing, details);
    const { done } = callWords[this.#kind];
    const names = enumeration(this.#items.map(({ text }) => text));
    return {
      passed: true,
      reason: `${names} ${this.#items.length === 1 ? 'was' : 'were'} ${done}`,
      details,
      calls: distinctCalls(this.#items.flatMap(({ matches }) => matches.numbers.slice(0, 1))),
    };
  }

  #failure(missing: readonly ItemSightings[], details: string[]): Verdict {
    const names = enumeration(missing.map(({ text }) => text));
    const happened = whatHappened(this.#kind, this.#tally, missing);
    return {
      passed: false,
      reason: `expected ${names} to be ${callWords[this.#kind].done}; ${happened}`,
      details,
      calls: distinctCalls(missing.flatMap((item) => item.nearestCalls)),
    };
  }
}
