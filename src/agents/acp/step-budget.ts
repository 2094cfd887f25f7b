import type { AgentStep } from '../../journal/step-events.js';

const maxSteps = 10_000;
/** In characters. */
const maxLength = 32 * 1024 * 1024;

/** Reports so many steps that no agent misses one, and no flood of them fills the journal. */
export class StepBudget {
  readonly #report: (step: AgentStep) => void;
  #steps = 0;
  #length = 0;

  constructor(report: (step: AgentStep) => void) {
    this.#report = report;
  }

  report(step: AgentStep): void {
    // Assertions look at the calls: none may be left out.
    if (step.kind === 'tool-call') {
      this.#report(step);
      return;
    }
    if (this.#isSpent) return;
    this.#steps++;
    this.#length += step.text.length;
    this.#report(step);
    if (this.#isSpent) {
      this.#report({
        kind: 'log',
        text: 'The agent told more than is kept; the rest is left out.',
      });
    }
  }

  get #isSpent(): boolean {
    return this.#steps >= maxSteps || this.#length >= maxLength;
  }
}
