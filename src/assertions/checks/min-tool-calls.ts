import { plural } from '../../base/text.js';
import type { AgentCall, Check, Verdict } from '../check.js';
import { CallTally } from '../evidence/call-tally.js';
import { KeptCalls } from '../evidence/kept-calls.js';
import type { Redact } from '../wording/short-text.js';

/** A least number of tool calls, over all servers. A blocked one does not count: nothing happened. */
class MinToolCalls implements Check {
  readonly #min: number;
  readonly #tally: CallTally;
  readonly #calls = new KeptCalls();
  #blocked = 0;

  constructor(min: number, redact: Redact) {
    this.#min = min;
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== 'tool') return;
    if (call.blocked) {
      this.#blocked++;
      return;
    }
    this.#calls.add(call.call);
    this.#tally.add(call);
  }

  verdict(): Verdict {
    const { count, numbers } = this.#calls;
    const made = count === 0 ? 'made none' : `made ${count}: ${this.#tally.text}`;
    const blocked = this.#blocked === 0 ? '' : ` (and ${this.#blocked} blocked, not counted)`;
    return {
      passed: count >= this.#min,
      reason: `expected at least ${plural(this.#min, 'tool call')}; the agent ${made}${blocked}`,
      calls: [...numbers],
    };
  }
}

/** None is no bound: undefined. */
export function minToolCalls(min: number, redact: Redact): Check | undefined {
  return min === 0 ? undefined : new MinToolCalls(min, redact);
}
