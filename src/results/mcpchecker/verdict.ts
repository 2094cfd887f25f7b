import type { FailureCategory, Outcome } from '../../journal/task-run-events.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { numberOfTaskRun } from './event-numbers.js';
import type { LostMembers } from './lost-members.js';
import type { McpcheckerTaskRun } from './task-run-schema.js';

type Verdict = Pick<TaskRunRecord, 'outcome' | 'failure'>;

/** In our words: it only tells whether the task and its assertions passed. */
export function verdictOf(result: McpcheckerTaskRun, lost: LostMembers): Verdict {
  const { taskPassed, taskError, setupOutput, agentOutput, verifyOutput, taskJudgeError } = result;
  if (taskPassed === undefined) {
    return notJudged(
      lost.reason('taskPassed') ?? 'taskPassed: expected true or false, found nothing',
    );
  }
  const held = assertionsHeld(result, lost);
  if (taskPassed && held) return { outcome: 'passed', failure: null };
  if (taskPassed && held === undefined) {
    const reason = lost.reason('allAssertionsPassed') ?? lost.reasonOfAssertions();
    return notJudged(reason ?? 'allAssertionsPassed: expected true or false, found nothing');
  }
  const unclear = lost.reason(...whyMembers);
  if (unclear !== undefined) return notJudged(unclear);
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
  if (taskPassed) return notPassed('failed', 'assertion-failed', failedAssertions(result));
  const step = failedStep(verifyOutput);
  if (step) return notPassed('failed', 'verification-failed', step.what, step.why);
  const why = verifyOutput?.Error || taskError || taskJudgeError || result.taskJudgeReason;
  return notPassed('failed', 'verification-failed', 'verification failed', why);
}

/** These say whether it failed, or could not be judged. */
const whyMembers = [
  'timedOut',
  'agentExecutionError',
  'setupOutput',
  'setupOutput.Success',
  'agentOutput',
  'agentOutput.Success',
];

/** Its own word for it, unless one that it lists says otherwise. Undefined: it cannot be known. */
export function assertionsHeld(
  { allAssertionsPassed, assertionResults }: McpcheckerTaskRun,
  lost: LostMembers,
): boolean | undefined {
  const verdicts = Object.values(assertionResults ?? {});
  if (allAssertionsPassed === false || verdicts.some((each) => each?.passed === false))
    return false;
  if (allAssertionsPassed) return true;
  // It always says so, also where there are none: without that, those that it lists have to be enough.
  const isClear = lost.reasonOfAssertions() === undefined;
  return isClear && verdicts.some((each) => each?.passed) ? true : undefined;
}

function notJudged(message: string): Verdict {
  return { outcome: 'error', failure: { category: 'unknown', message, evidence: numberOfTaskRun } };
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
  const index = steps.findIndex((step) => step?.success !== true);
  if (index === -1) return undefined;
  const step = steps[index];
  const why = step ? step.error || step.message : phase?.Error;
  return { what: `step ${index + 1} of verify failed`, why };
}

function failedAssertions({ assertionResults }: McpcheckerTaskRun): string {
  const failed = Object.entries(assertionResults ?? {}).flatMap(([name, verdict]) =>
    verdict?.passed === false ? [verdict.reason ? `${name}: ${verdict.reason}` : name] : [],
  );
  const [first] = failed;
  if (first === undefined) return 'an assertion did not hold';
  return failed.length > 1 ? `${failed.length} assertions did not hold: ${first}` : first;
}
