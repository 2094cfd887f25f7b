import { plural } from '../../base/text.js';
import type { AgentCall, Check, Verdict } from '../check.js';
import { CallTally } from '../evidence/call-tally.js';
import { KeptCalls } from '../evidence/kept-calls.js';
import type { Redact } from '../wording/short-text.js';

/** A highest number of tool calls, over all servers. A blocked one counts: the agent tried. */
export class MaxToolCalls implements Check {
  readonly #max: number;
  readonly #tally: CallTally;
  /** The last ones are those that were too many. */
  readonly #calls = new KeptCalls('last');

  constructor(max: number, redact: Redact) {
    this.#max = max;
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== 'tool') return;
    this.#calls.add(call.call);
    this.#tally.add(call);
  }

  verdict(): Verdict {
    const { count, numbers } = this.#calls;
    const made = count === 0 ? 'made none' : `made ${count}: ${this.#tally.text}`;
    const tooMany = Math.max(count - this.#max, 0);
    return {
      passed: tooMany === 0,
      reason: `expected at most ${plural(this.#max, 'tool call')}; the agent ${made}`,
      calls: tooMany === 0 ? [] : numbers.slice(-tooMany),
    };
  }
}
