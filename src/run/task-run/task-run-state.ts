import { relative, resolve } from 'node:path';
import type { AgentCall, Assertion } from '../../assertions/assertion.js';
import { type AssertionName, createAssertion } from '../../assertions/registry.js';
import type { JournalEvent } from '../../journal/event.js';
import type { Warning, WarningCode } from '../../journal/mcp-events.js';
import type {
  AssertionChecked,
  Failure,
  FailureCategory,
  PhaseStarted,
} from '../../journal/task-run-events.js';
import { addJudgeUsage, type JudgeUsage } from '../../journal/usage.js';
import type { PlannedAssertion } from '../../plan/plan.js';
import type { RecordedCalls } from './evidence.js';

/** What is known of a task run while it goes on: a fold over its events. */
export class TaskRunState {
  /** The first that did the agent harm. */
  serverFailure: Failure | undefined;
  lastPhase: { phase: string; seq: number } | undefined;
  /** What judging took; undefined: nothing was judged. */
  judge: JudgeUsage | undefined;
  /** What happens to a server from then on does the agent no harm. */
  isAgentDone = false;
  /** The one that goes on, or went on last. */
  phase: PhaseStarted['phase'] | undefined;
  readonly #calls: RecordedCalls;
  readonly #onCall: (call: AgentCall) => void;

  constructor(calls: RecordedCalls, onCall: (call: AgentCall) => void) {
    this.#calls = calls;
    this.#onCall = onCall;
  }

  apply(event: JournalEvent): void {
    if (event.type === 'mcp-call') {
      const call = this.#calls.add(event);
      if (call) this.#onCall(call);
    } else if (event.type === 'warning' && !this.isAgentDone) {
      this.serverFailure ??= serverFailure(event, event.seq);
    } else if (event.type === 'step-ended' && event.judgement) {
      this.judge ??= {};
      addJudgeUsage(this.judge, event.judgement);
    } else if (event.type === 'phase-started') {
      this.phase = event.phase;
    } else if (event.type === 'phase-ended') {
      this.lastPhase = { phase: event.phase, seq: event.seq };
    }
  }
}

/** Warnings after which nothing that the agent does says anything about it. */
const categories: Partial<Record<WarningCode, FailureCategory>> = {
  'server-failed-to-start': 'server-failed',
  'server-timeout': 'server-failed',
  'server-unreachable': 'server-failed',
  'server-exited': 'server-exited',
  'server-unauthorized': 'server-unauthorized',
};

/** The failure that a warning means for its task run, if it does. */
function serverFailure({ code, server, message }: Warning, seq: number): Failure | undefined {
  const category = categories[code];
  if (category === undefined) return undefined;
  const about = server === undefined || message.includes(server) ? '' : `server ${server}: `;
  return { category, message: `${about}${message}`, evidence: seq };
}

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
        details: details && details.length > 0 ? details : undefined,
        source,
        calls,
      };
    }
  }
}
