import type { TaskRunRecord } from '../task-run-record.js';
import type { RecheckedTaskRun } from './recheck.js';
import type { Rejudgement } from './rejudgement.js';

/** What rechecking replaces in a recorded task run. */
export type RecheckedVerdict = Pick<
  TaskRunRecord,
  'outcome' | 'failure' | 'verified' | 'assertionsHeld' | 'assertions'
>;

type Failure = NonNullable<TaskRunRecord['failure']>;
type Today = Pick<RecheckedTaskRun, 'unfinished' | 'assertions' | 'judgements'>;

/**
 * The verdict on a recorded task run by the assertions of today, and by a judge that was asked again. Steps
 * are not repeated: what failed verification stays failed, unless it was the judge who said so and now
 * says otherwise, and so does what failed for a reason that is not known. What could not be judged, ran
 * into its limit or was cancelled stays so; an answer that has got no verdict of the judge is the one
 * error that can be mended.
 */
export function decideRecheckedVerdict(recorded: TaskRunRecord, today: Today): RecheckedVerdict {
  const { outcome, failure, verified: before } = recorded;
  const isOver = recorded.phases.agent?.outcome === 'passed';
  if (!isOver || today.unfinished !== undefined) {
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
  // One of the two may be lost.
  const hasFailed = verified === false || failure?.category === 'verification-failed';
  if (judgements.length === 0) {
    return { verified, isJudged: false, ...(hasFailed && { failed: recordedFailure }) };
  }
  const steps = phases.verify?.steps ?? [];
  const judges = steps.filter(({ kind }) => kind === 'llmJudge');
  const others = steps.filter(({ kind }) => kind !== 'llmJudge');
  // Where nobody knows which part failed then, it may have been another than the judge's.
  const other = others.find(({ passed }) => !passed);
  const isJudges = judges.some(({ passed }) => !passed);
  if (other || (hasFailed && !isJudges)) {
    const message = other?.message ?? recordedFailure.message;
    const failed = { ...recordedFailure, category: 'verification-failed' as const, message };
    return { verified: false, isJudged: true, failed };
  }
  const silent = judgements.find(({ passed }) => passed === null);
  const against = judgements.find(({ passed }) => passed === false);
  if (against) {
    const message = `the judge says no: ${against.reason}`;
    return {
      verified: false,
      isJudged: true,
      failed: { category: 'verification-failed', message },
    };
  }
  if (silent) {
    const failed = { category: 'judge-error' as const, message: silent.reason };
    return { verified: false, isJudged: false, failed };
  }
  return { verified: true, isJudged: true };
}

/** Failures point at an event, and rechecking has none of its own. */
function findLastEvent({ phases }: TaskRunRecord): number {
  const steps = [...(phases.agent?.steps ?? []), ...(phases.verify?.steps ?? [])];
  return Math.max(1, ...steps.slice(-1000).map(({ seq }) => seq));
}
