import { plural } from '../../base/text.js';
import type { AgentCall, Check, Verdict } from '../check.js';
import { CallTally } from '../evidence/call-tally.js';
import { KeptCalls } from '../evidence/kept-calls.js';
import type { Redact } from '../wording/short-text.js';

/**
 * A highest number of tool calls that end in an error. A blocked one counts: the agent was answered
 * with an error, as with any other call that it should not have made.
 */
export class MaxToolErrors implements Check {
  readonly #max: number;
  readonly #tally: CallTally;
  readonly #errors = new KeptCalls();
  #seen = 0;

  constructor(max: number, redact: Redact) {
    this.#max = max;
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== 'tool') return;
    this.#seen++;
    if (!call.isError && !call.blocked) return;
    this.#errors.add(call.call);
    this.#tally.add(call);
  }

  verdict(): Verdict {
    const { count, numbers } = this.#errors;
    const ended = `${count} of ${plural(this.#seen, 'tool call')} ended in an error`;
    const happened = this.#seen === 0 ? 'the agent made no tool call' : ended;
    return {
      passed: count <= this.#max,
      reason: `expected at most ${plural(this.#max, 'tool error')}; ${happened}${count === 0 ? '' : `: ${this.#tally.text}`}`,
      calls: [...numbers],
    };
  }
}
