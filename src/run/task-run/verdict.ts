import type { Failure, FailureCategory, Outcome } from '../../journal/task-run-events.js';
import type { PhaseResult } from './step-phase.js';

/** What is known of a task run when its outcome is decided. */
export interface Findings {
  /** Why it was stopped, with the event that shows where. */
  stopped?: { why: 'timeout' | 'cancelled'; message: string; evidence: number };
  setup?: PhaseResult;
  serverFailure?: Failure;
  agentFailure?: Failure;
  /** Why the agent had not even begun when it was stopped: its model never answered. */
  neverBegun?: Failure;
  verify?: PhaseResult;
  /** Assertions that were checked; none: it did not come to that. */
  assertions?: { checked: number; failed: { seq: number; name: string; reason: string }[] };
  /** A bug in Proctor. */
  internal?: Failure;
}

export interface TaskRunVerdict {
  outcome: Outcome;
  failure?: Failure;
  verified: boolean | null;
  assertionsHeld: boolean | null;
}

/**
 * Decides the outcome: what stands further up explains what follows, so the first that applies counts. `startSeq` is
 * the first event of the task run, which is the evidence where no other event shows more.
 */
export function decideVerdict(findings: Findings, startSeq: number): TaskRunVerdict {
  const { stopped, setup, serverFailure, agentFailure, verify, assertions, internal } = findings;
  const isVerified = verify && verify.steps > 0 && !stopped;
  const verified = isVerified ? verify.outcome === 'passed' : null;
  const assertionsHeld =
    assertions && assertions.checked > 0 ? assertions.failed.length === 0 : null;
  const endAs = (outcome: Outcome, failure: Failure): TaskRunVerdict => ({
    outcome,
    failure,
    verified,
    assertionsHeld,
  });

  if (internal) return endAs('error', internal);
  if (stopped?.why === 'cancelled') return endAs('cancelled', failed('cancelled', stopped));
  if (stopped) {
    // If the model never answered the agent, or the judge gave no verdict in time, nothing can be said about the agent.
    const causeOfError = findings.neverBegun ?? unansweredJudge(verify);
    return causeOfError
      ? endAs('error', causeOfError)
      : endAs('timeout', failed('timeout', stopped));
  }
  const [setupStep] = setup?.failed ?? [];
  if (setupStep) return endAs('error', failed('setup-failed', atStep(setupStep)));
  if (serverFailure) return endAs('error', serverFailure);
  if (agentFailure) return endAs('error', agentFailure);
  if (verify && verify.outcome !== 'passed') {
    const hasFailed = verify.outcome === 'failed';
    const step = verify.failed.find(({ outcome }) => !hasFailed || outcome !== 'error');
    const where = step
      ? atStep(step)
      : { message: 'verification did not pass', evidence: startSeq };
    if (hasFailed) return endAs('failed', failed('verification-failed', where));
    const category = step?.type === 'llmJudge' ? 'judge-error' : 'step-error';
    return endAs('error', failed(category, where));
  }
  const [assertion] = assertions?.failed ?? [];
  if (assertion) {
    const message = `${assertion.name}: ${assertion.reason}`;
    return endAs('failed', failed('assertion-failed', { message, evidence: assertion.seq }));
  }
  // Validation refuses such a task. If one gets here all the same, it must not pass.
  if (verified === null && assertionsHeld === null) {
    const message = 'nothing was checked: the task has neither verification nor assertions';
    return endAs('error', failed('internal-error', { message, evidence: startSeq }));
  }
  return { outcome: 'passed', verified, assertionsHeld };
}

/** The judge that gave no verdict within the time of the task, if every other step of verify passed. */
function unansweredJudge(verify: PhaseResult | undefined): Failure | undefined {
  const [first, ...others] = verify?.failed ?? [];
  const isJudge = first?.type === 'llmJudge' && first.outcome !== 'failed' && others.length === 0;
  return isJudge ? failed('judge-error', atStep(first)) : undefined;
}

function failed(
  category: FailureCategory,
  { message, evidence }: { message: string; evidence: number },
): Failure {
  return { category, message, evidence };
}

function atStep({ seq, message }: { seq: number; message: string }) {
  return { message, evidence: seq };
}
