import type { FailureCategory } from '../../events/failure-categories.js';
import type { Outcome } from '../../events/task-run-events.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { numberOfTaskRun } from './event-numbers.js';
import type { McpcheckerTaskRun } from './task-run-schema.js';

type Verdict = Pick<TaskRunRecord, 'outcome' | 'failure'>;

/** In our words: it only tells whether the task and its assertions passed. */
export function verdictOf(result: McpcheckerTaskRun): Verdict {
  if (result.taskPassed && assertionsHeld(result)) {
    return { outcome: 'passed', failure: null };
  }
  const { taskError, setupOutput, agentOutput, verifyOutput, taskJudgeError } = result;
  if (result.timedOut) {
    return notPassed('timeout', 'timeout', 'the time limit was reached', taskError);
  }
  if (setupOutput?.Success === false) {
    return notPassed('error', 'setup-failed', 'setup failed', setupOutput.Error);
  }
  if (result.agentExecutionError || agentOutput?.Success === false) {
    const why = agentOutput?.Error || taskError;
    return notPassed('error', 'agent-failed', 'the agent failed', why);
  }
  if (result.taskPassed) return notPassed('failed', 'assertion-failed', failedAssertions(result));
  const step = failedStep(verifyOutput);
  if (step) return notPassed('failed', 'verification-failed', step.what, step.why);
  const why = verifyOutput?.Error || taskError || taskJudgeError || result.taskJudgeReason;
  return notPassed('failed', 'verification-failed', 'verification failed', why);
}

/** Its own word for it, unless one that it lists says otherwise. */
export function assertionsHeld({ allAssertionsPassed, assertionResults }: McpcheckerTaskRun) {
  const failed = Object.values(assertionResults ?? {}).some((verdict) => verdict?.passed === false);
  return allAssertionsPassed !== false && !failed;
}

function notPassed(
  outcome: Outcome,
  category: FailureCategory,
  what: string,
  why?: string | null,
): Verdict {
  const message = why ? `${what}: ${why}` : what;
  return { outcome, failure: { category, message, evidence: numberOfTaskRun } };
}

/** What the phase says of itself is only that there is one. */
function failedStep(phase: McpcheckerTaskRun['verifyOutput']) {
  const steps = phase?.Steps ?? [];
  const index = steps.findIndex(({ success }) => success !== true);
  const step = steps[index];
  return step && { what: `step ${index + 1} of verify failed`, why: step.error || step.message };
}

function failedAssertions({ assertionResults }: McpcheckerTaskRun): string {
  const failed = Object.entries(assertionResults ?? {}).flatMap(([name, verdict]) =>
    verdict?.passed === false ? [verdict.reason ? `${name}: ${verdict.reason}` : name] : [],
  );
  const [first] = failed;
  if (first === undefined) return 'an assertion did not hold';
  return failed.length > 1 ? `${failed.length} assertions did not hold: ${first}` : first;
}
