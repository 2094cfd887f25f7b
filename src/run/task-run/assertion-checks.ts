import { relative, resolve } from 'node:path';
import type { AgentCall, Assertion } from '../../assertions/assertion.js';
import { type AssertionName, createAssertion } from '../../assertions/registry.js';
import type { AssertionChecked } from '../../journal/task-run-events.js';
import type { PlannedAssertion } from '../../plan/plan.js';

interface PlacedCheck {
  name: string;
  source: { file: string; line: number };
  check: Assertion;
}

/** All assertions of one task run. */
export class AssertionChecks {
  readonly #checks: PlacedCheck[];

  constructor(
    assertions: readonly PlannedAssertion[],
    evalFolder: string,
    redact: (text: string) => string,
  ) {
    this.#checks = assertions.flatMap(({ name, expected, at }) => {
      const source = { file: relative(evalFolder, resolve(at.file)), line: at.line };
      // The schema has seen to it that the name is one, and that the value is of its kind.
      const check = createAssertion(name as AssertionName, expected as never, redact);
      return check ? [{ name, source, check }] : [];
    });
  }

  /** Some assertions check nothing, such as `minToolCalls: 0`: they are not counted. */
  get size(): number {
    return this.#checks.length;
  }

  see(call: AgentCall): void {
    for (const { check } of this.#checks) check.see(call);
  }

  *verdicts(taskRun: string): Generator<AssertionChecked> {
    for (const { name, source, check } of this.#checks) {
      const { passed, reason, details, calls } = check.verdict();
      yield {
        type: 'assertion-checked',
        taskRun,
        name,
        passed,
        reason,
        ...(details && details.length > 0 && { details }),
        source,
        calls,
      };
    }
  }
}
