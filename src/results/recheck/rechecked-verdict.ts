import type { TaskRunRecord } from '../task-run-record.js';
import type { RecheckedTaskRun } from './recheck.js';
import type { Rejudgement } from './rejudgement.js';

/** The members of a recorded task run that rechecking replaces. */
export type RecheckedVerdict = Pick<
  TaskRunRecord,
  'outcome' | 'failure' | 'verified' | 'assertionsHeld' | 'assertions'
>;

type Failure = NonNullable<TaskRunRecord['failure']>;
type Today = Pick<RecheckedTaskRun, 'unfinished' | 'assertions' | 'judgements'>;

/**
 * The verdict on a recorded task run by the current assertions, and by new judgements. Steps are not run
 * again: failed verification stays failed, unless the judge alone failed it and now passes it; so does a
 * failure for an unknown reason. An error, a timeout and a cancelled run stay as they are; only an answer that
 * got no verdict of the judge can be repaired.
 */
export function decideRecheckedVerdict(recorded: TaskRunRecord, today: Today): RecheckedVerdict {
  const { outcome, failure, verified: before } = recorded;
  const hasAgentFinished = recorded.phases.agent?.outcome === 'passed';
  if (!hasAgentFinished || today.unfinished !== undefined) {
    const { assertionsHeld, assertions } = recorded;
    return { outcome, failure, verified: before, assertionsHeld, assertions };
  }
  const unknown = today.assertions.filter(({ certainty }) => certainty === 'unknown');
  const assertions = today.assertions
    .filter(({ certainty }) => certainty !== 'unknown')
    .map(({ redactedCalls, certainty, ...assertion }) => assertion);
  const broken = assertions.find(({ passed }) => !passed);
  const isUndecided = assertions.length === 0 || unknown.length > 0;
  const assertionsHeld = broken ? false : isUndecided ? null : true;
  const judged = { assertionsHeld, assertions };
  const verification = decideVerification(recorded, today.judgements ?? []);
  const isMended = failure?.category === 'judge-error' && verification.isJudged;
  const isJudgedAgain = outcome === 'passed' || (outcome === 'failed' && isReasonKnown(recorded));
  if (!isJudgedAgain && !isMended) {
    return { outcome, failure, verified: before, ...judged };
  }
  const { verified, failed } = verification;
  const evidence = failure?.evidence ?? findLastEvent(recorded);
  if (failed) {
    const isError = failed.category === 'judge-error';
    return {
      outcome: isError ? 'error' : 'failed',
      failure: { evidence, ...failed },
      verified,
      ...judged,
    };
  }
  if (broken) {
    const message = `${broken.name}: ${broken.reason}`;
    const why: Failure = { category: 'assertion-failed', message, evidence };
    return { outcome: 'failed', failure: why, verified, ...judged };
  }
  if (unknown[0]) {
    const message = `${unknown[0].name} cannot be judged: ${unknown[0].reason}`;
    const why: Failure = { category: 'unknown', message, evidence };
    return { outcome: 'error', failure: why, verified, ...judged };
  }
  if (verified === null && assertionsHeld === null) {
    const message = 'nothing was checked: the task has neither verification nor assertions';
    const why: Failure = { category: 'internal-error', message, evidence };
    return { outcome: 'error', failure: why, verified, ...judged };
  }
  return { outcome: 'passed', failure: null, verified, ...judged };
}

function isReasonKnown({ failure }: TaskRunRecord): boolean {
  return failure?.category === 'assertion-failed' || failure?.category === 'verification-failed';
}

interface Verification {
  verified: boolean | null;
  /** Whether every answer of the judge is a verdict, of those there are. */
  isJudged: boolean;
  failed?: Pick<Failure, 'category' | 'message'> & Partial<Failure>;
}

/** Verification with the answers of today in place of those that the judge gave then. */
function decideVerification(
  { phases, verified, failure }: TaskRunRecord,
  judgements: readonly Rejudgement[],
): Verification {
  const recordedFailure = failure ?? {
    category: 'verification-failed' as const,
    message: 'verification did not pass',
  };
  // Either of the two may be missing in a damaged record.
  const hasFailed = verified === false || failure?.category === 'verification-failed';
  if (judgements.length === 0) {
    return { verified, isJudged: false, ...(hasFailed && { failed: recordedFailure }) };
  }
  const steps = phases.verify?.steps ?? [];
  const judges = steps.filter(({ kind }) => kind === 'llmJudge');
  const others = steps.filter(({ kind }) => kind !== 'llmJudge');
  // If it is not known which step failed, it may have been another one than the judge.
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

/** The event that a new failure points at: rechecking has no events of its own. */
function findLastEvent({ phases }: TaskRunRecord): number {
  const steps = [...(phases.agent?.steps ?? []), ...(phases.verify?.steps ?? [])];
  return Math.max(1, ...steps.slice(-1000).map(({ seq }) => seq));
}
