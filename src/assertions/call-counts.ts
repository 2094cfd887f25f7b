import { plural } from '../base/text.js';
import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { CallNameSummary, CallNumbers } from './seen-calls.js';
import type { Redact } from './wording.js';

/** An assertion about the number of tool calls, over all servers. */
abstract class ToolCallCount implements Assertion {
  protected readonly bound: number;
  protected readonly calls: CallNumbers;
  protected readonly callNames: CallNameSummary;

  /** `keep` says which call numbers stay if there are more than a verdict lists. */
  constructor(bound: number, redact: Redact, keep?: 'first' | 'last') {
    this.bound = bound;
    this.calls = new CallNumbers(keep);
    this.callNames = new CallNameSummary(redact);
  }

  see(call: AgentCall): void {
    if (call.kind === 'tool') this.seeToolCall(call);
  }

  abstract verdict(): Verdict;

  /** Takes a tool call, and adds it if it counts. */
  protected abstract seeToolCall(call: AgentCall): void;

  protected add(call: AgentCall): void {
    this.calls.add(call.number);
    this.callNames.add(call);
  }

  /** `made 2: docs.search and docs.read`. */
  protected get madeText(): string {
    const { count } = this.calls;
    return count === 0 ? 'made none' : `made ${count}: ${this.callNames.text}`;
  }
}

/** Asserts a minimum of tool calls. A blocked one does not count: nothing happened. */
export class MinToolCalls extends ToolCallCount {
  #blocked = 0;

  protected seeToolCall(call: AgentCall): void {
    if (call.blocked) this.#blocked++;
    else this.add(call);
  }

  verdict(): Verdict {
    const { count, numbers } = this.calls;
    const blocked = this.#blocked === 0 ? '' : ` (and ${this.#blocked} blocked, not counted)`;
    return {
      passed: count >= this.bound,
      reason: `expected at least ${plural(this.bound, 'tool call')}; the agent ${this.madeText}${blocked}`,
      calls: [...numbers],
    };
  }
}

/** Asserts a maximum of tool calls. A blocked one counts: the agent tried. */
export class MaxToolCalls extends ToolCallCount {
  /** The last call numbers stay: they are those beyond the maximum. */
  constructor(max: number, redact: Redact) {
    super(max, redact, 'last');
  }

  protected seeToolCall(call: AgentCall): void {
    this.add(call);
  }

  verdict(): Verdict {
    const { count, numbers } = this.calls;
    const tooMany = Math.max(count - this.bound, 0);
    return {
      passed: tooMany === 0,
      reason: `expected at most ${plural(this.bound, 'tool call')}; the agent ${this.madeText}`,
      calls: tooMany === 0 ? [] : numbers.slice(-tooMany),
    };
  }
}

/**
 * Asserts a maximum of tool calls that end in an error. A blocked one counts: the agent was answered with an
 * error. The verdict shows the errors even if it holds.
 */
export class MaxToolErrors extends ToolCallCount {
  #seen = 0;

  protected seeToolCall(call: AgentCall): void {
    this.#seen++;
    if (call.isError || call.blocked) this.add(call);
  }

  verdict(): Verdict {
    const { count, numbers } = this.calls;
    const ended = `${count} of ${plural(this.#seen, 'tool call')} ended in an error`;
    const happened = this.#seen === 0 ? 'the agent made no tool call' : ended;
    return {
      passed: count <= this.bound,
      reason: `expected at most ${plural(this.bound, 'tool error')}; ${happened}${count === 0 ? '' : `: ${this.callNames.text}`}`,
      calls: [...numbers],
    };
  }
}
