import { plural } from '../base/text.js';
import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { CallNumbers, CallTally } from './evidence.js';
import type { Redact } from './wording.js';

/** Asserts a minimum of tool calls, over all servers. A blocked one does not count: nothing happened. */
class MinToolCalls implements Assertion {
  readonly #min: number;
  readonly #tally: CallTally;
  readonly #calls = new CallNumbers();
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

/** Undefined for a minimum of 0, which always holds. */
export function createMinToolCalls(min: number, redact: Redact): Assertion | undefined {
  return min === 0 ? undefined : new MinToolCalls(min, redact);
}

/** Asserts a maximum of tool calls, over all servers. A blocked one counts: the agent tried. */
export class MaxToolCalls implements Assertion {
  readonly #max: number;
  readonly #tally: CallTally;
  /** Keeps the last ones, which were too many. */
  readonly #calls = new CallNumbers('last');

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

/**
 * Asserts a maximum of tool calls that end in an error. A blocked one counts: the agent was answered
 * with an error, as with any other call that it should not have made.
 */
export class MaxToolErrors implements Assertion {
  readonly #max: number;
  readonly #tally: CallTally;
  readonly #errors = new CallNumbers();
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
