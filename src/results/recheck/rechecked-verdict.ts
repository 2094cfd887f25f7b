import type { TaskRunRecord } from '../task-run-record.js';
import type { RecheckedTaskRun } from './recheck.js';
import type { Rejudgement } from './rejudgement.js';

/** The members of a recorded task run that rechecking replaces. */
export type RecheckedVerdict = Pick<
  TaskRunRecord,
  'outcome' | 'failure' | 'verified' | 'assertionsHeld' | 'assertions'
>;

type Failure = NonNullable<TaskRunRecord['failure']>;
/** What the current assertions and judges say. */
type CurrentVerdicts = Pick<RecheckedTaskRun, 'unfinished' | 'assertions' | 'judgements'>;

/**
 * Decides the verdict on a recorded task run by the current assertions and by new judgements. Steps are not run
 * again: failed verification stays failed, unless only the judge failed it and now passes it. A failure for an
 * unknown reason stays, and so do an error, a timeout and a cancelled run. The one error that can go is that of a
 * judge who gave no verdict, if there is one now.
 */
export function decideRecheckedVerdict(
  recorded: TaskRunRecord,
  current: CurrentVerdicts,
): RecheckedVerdict {
  const { outcome, failure, verified: before } = recorded;
  const hasAgentFinished = recorded.phases.agent?.outcome === 'passed';
  if (!hasAgentFinished || current.unfinished !== undefined) {
    const { assertionsHeld, assertions } = recorded;
    return { outcome, failure, verified: before, assertionsHeld, assertions };
  }
  const unknown = current.assertions.filter(({ certainty }) => certainty === 'unknown');
  const assertions = current.assertions
    .filter(({ certainty }) => certainty !== 'unknown')
    .map(({ redactedCalls, certainty, ...assertion }) => assertion);
  const failedAssertion = assertions.find(({ passed }) => !passed);
  const isUndecided = assertions.length === 0 || unknown.length > 0;
  const assertionsHeld = failedAssertion ? false : isUndecided ? null : true;
  const held = { assertionsHeld, assertions };
  const verification = decideVerification(recorded, current.judgements ?? []);
  const isErrorResolved = failure?.category === 'judge-error' && verification.isJudged;
  const canChange = outcome === 'passed' || (outcome === 'failed' && isReasonKnown(recorded));
  if (!canChange && !isErrorResolved) {
    return { outcome, failure, verified: before, ...held };
  }
  const { verified, failed } = verification;
  const evidence = failure?.evidence ?? findLastEvent(recorded);
  if (failed) {
    const isError = failed.category === 'judge-error';
    return {
      outcome: isError ? 'error' : 'failed',
      failure: { evidence, ...failed },
      verified,
      ...held,
    };
  }
  if (failedAssertion) {
    const message = `${failedAssertion.name}: ${failedAssertion.reason}`;
    const why: Failure = { category: 'assertion-failed', message, evidence };
    return { outcome: 'failed', failure: why, verified, ...held };
  }
  if (unknown[0]) {
    const message = `${unknown[0].name} cannot be judged: ${unknown[0].reason}`;
    const why: Failure = { category: 'unknown', message, evidence };
    return { outcome: 'error', failure: why, verified, ...held };
  }
  if (verified === null && assertionsHeld === null) {
    const message = 'nothing was checked: the task has neither verification nor assertions';
    const why: Failure = { category: 'internal-error', message, evidence };
    return { outcome: 'error', failure: why, verified, ...held };
  }
  return { outcome: 'passed', failure: null, verified, ...held };
}

function isReasonKnown({ failure }: TaskRunRecord): boolean {
  return failure?.category === 'assertion-failed' || failure?.category === 'verification-failed';
}

interface Verification {
  verified: boolean | null;
  /** Whether the judge was asked again and always gave a verdict. */
  isJudged: boolean;
  failed?: Pick<Failure, 'category' | 'message'> & Partial<Failure>;
}

/** Decides verification with new judgements in place of the recorded ones. */
function decideVerification(
  { phases, verified, failure }: TaskRunRecord,
  judgements: readonly Rejudgement[],
): Verification {
  const recordedFailure = failure ?? {
    category: 'verification-failed' as const,
    message: 'verification did not pass',
  };
  // A damaged record may have only one of the two.
  const hasFailed = verified === false || failure?.category === 'verification-failed';
  if (judgements.length === 0) {
    return { verified, isJudged: false, ...(hasFailed && { failed: recordedFailure }) };
  }
  const steps = phases.verify?.steps ?? [];
  const judges = steps.filter(({ kind }) => kind === 'llmJudge');
  const others = steps.filter(({ kind }) => kind !== 'llmJudge');
  // If the record does not say which step failed, it may not have been the judge.
  const other = others.find(({ passed }) => !passed);
  const hasJudgeFailed = judges.some(({ passed }) => !passed);
  if (other || (hasFailed && !hasJudgeFailed)) {
    const message = other?.message ?? recordedFailure.message;
    const failed = { ...recordedFailure, category: 'verification-failed' as const, message };
    return { verified: false, isJudged: true, failed };
  }
  const withoutVerdict = judgements.find(({ passed }) => passed === null);
  const against = judgements.find(({ passed }) => passed === false);
  if (against) {
    const message = `the judge says no: ${against.reason}`;
    return {
      verified: false,
      isJudged: true,
      failed: { category: 'verification-failed', message },
    };
  }
  if (withoutVerdict) {
    const failed = { category: 'judge-error' as const, message: withoutVerdict.reason };
    return { verified: false, isJudged: false, failed };
  }
  return { verified: true, isJudged: true };
}

/** Finds the event that a new failure points at: rechecking has no events of its own. */
function findLastEvent({ phases }: TaskRunRecord): number {
  const steps = [...(phases.agent?.steps ?? []), ...(phases.verify?.steps ?? [])];
  return Math.max(1, ...steps.slice(-1000).map(({ seq }) => seq));
}
