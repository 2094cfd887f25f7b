import type { CallKind } from '../../config/files/assertion-items.js';
import type { AgentCall, Check, Verdict } from '../check.js';
import { CallTally } from '../evidence/call-tally.js';
import { ItemSightings } from '../evidence/item-sightings.js';
import { distinctCalls } from '../evidence/kept-calls.js';
import type { AskedFor } from '../matching/asked-for.js';
import { callWords } from '../wording/call-words.js';
import { enumeration } from '../wording/enumeration.js';
import type { Redact } from '../wording/short-text.js';

/** No item matches any call. A blocked call counts: the agent tried. */
export class NoItem implements Check {
  readonly #kind: CallKind;
  readonly #items: readonly ItemSightings[];
  /** Of the calls that should not be there. */
  readonly #tally: CallTally;
  #seen = 0;

  constructor(kind: CallKind, items: readonly AskedFor[], redact: Redact) {
    this.#kind = kind;
    this.#items = items.map((asked) => new ItemSightings(asked, redact));
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== this.#kind) return;
    this.#seen++;
    // Not `some`: every item has to see it.
    const matching = this.#items.filter((item) => item.see(call));
    if (matching.length > 0) this.#tally.add(call);
  }

  verdict(): Verdict {
    const { done, none } = callWords[this.#kind];
    const found = this.#items.filter(({ matches, blocked }) => matches.count + blocked.count > 0);
    const names = enumeration((found.length > 0 ? found : this.#items).map(({ text }) => text));
    const without = this.#seen === 0 ? none : 'did without';
    const happened = found.length === 0 ? without : `${done} ${this.#tally.text}`;
    return {
      passed: found.length === 0,
      reason: `expected ${names} not to be ${done}; the agent ${happened}`,
      details: this.#items.map((item) => `${item.text}: ${accountOf(item, done)}`),
      calls: distinctCalls(
        found.flatMap(({ matches, blocked }) => [...matches.numbers, ...blocked.numbers]),
      ),
    };
  }
}

function accountOf({ matches, blocked }: ItemSightings, done: string): string {
  const accounts = [
    ...(matches.count > 0 ? [`${done} (${matches.text})`] : []),
    ...(blocked.count > 0 ? [`tried, but blocked by the MCP config (${blocked.text})`] : []),
  ];
  return accounts.join(' and ') || `not ${done}`;
}
