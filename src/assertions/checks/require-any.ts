import type { AgentCall, Check, Verdict } from '../check.js';
import { CallTally } from '../evidence/call-tally.js';
import { ItemSightings } from '../evidence/item-sightings.js';
import { distinctCalls } from '../evidence/kept-calls.js';
import { type ToolItem, toolAskedFor } from '../matching/asked-for.js';
import { enumeration } from '../wording/enumeration.js';
import type { Redact } from '../wording/short-text.js';
import { whatHappened } from '../wording/what-happened.js';

/** Some item matches some tool call. A blocked call does not count: nothing happened. */
export class RequireAny implements Check {
  readonly #items: readonly ItemSightings[];
  readonly #tally: CallTally;

  constructor(items: readonly ToolItem[], redact: Redact) {
    this.#items = items.map((item) => new ItemSightings(toolAskedFor(item), redact));
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== 'tool') return;
    this.#tally.add(call);
    for (const item of this.#items) item.see(call);
  }

  verdict(): Verdict {
    const found = this.#items.filter(({ matches }) => matches.count > 0);
    const details = this.#items.map(({ text, account }) => `${text}: ${account}`);
    if (found.length > 0) {
      return {
        passed: true,
        reason: `${enumeration(found.map(({ text }) => text))} ${found.length === 1 ? 'was' : 'were'} called`,
        details,
        calls: distinctCalls(found.flatMap(({ matches }) => matches.numbers.slice(0, 1))),
      };
    }
    const names = enumeration(this.#items.map(({ text }) => text));
    const wanted = this.#items.length === 1 ? names : `at least one of ${names}`;
    return {
      passed: false,
      reason: `expected ${wanted} to be called; ${whatHappened('tool', this.#tally, this.#items)}`,
      details,
      calls: distinctCalls(this.#items.flatMap((item) => item.nearestCalls)),
    };
  }
}
