import { formatLeftOut, type LeftOut } from '../../journal/left-out.js';
import type { FailureCategory, Outcome } from '../../journal/task-run-events.js';
import type { TaskRunRecord } from '../task-run-record.js';
import type { McpcheckerTaskRun } from './schema.js';

/**
 * mcpchecker has no journal, and so no event numbers. Those that records need are made up: the first is the
 * task run as a whole, which is the only possible evidence; its calls and steps have the numbers after that.
 */
const taskRunSeq = 1;

/** The event number of a call or step; `place` is its index among those of its kind. */
export function makeEntrySeq(place: number): number {
  return taskRunSeq + 1 + place;
}

type Verdict = Pick<TaskRunRecord, 'outcome' | 'failure'>;

/** Outcome and failure of a task run of mcpchecker, which only says whether task and assertions passed. */
export function decideMcpcheckerVerdict(result: McpcheckerTaskRun, lost: LostMembers): Verdict {
  const { taskPassed, taskError, setupOutput, agentOutput, verifyOutput, taskJudgeError } = result;
  if (taskPassed === undefined) {
    return buildUnknownVerdict(
      lost.findReason('taskPassed') ?? 'taskPassed: expected true or false, found nothing',
    );
  }
  const held = haveAssertionsHeld(result, lost);
  if (taskPassed && held) return { outcome: 'passed', failure: null };
  if (taskPassed && held === undefined) {
    const reason = lost.findReason('allAssertionsPassed') ?? lost.findAssertionsReason();
    return buildUnknownVerdict(
      reason ?? 'allAssertionsPassed: expected true or false, found nothing',
    );
  }
  const unclear = lost.findReason(...causeMembers);
  if (unclear !== undefined) return buildUnknownVerdict(unclear);
  if (result.timedOut) {
    return buildFailedVerdict('timeout', 'timeout', 'the time limit was reached', taskError);
  }
  if (setupOutput?.Success === false) {
    return buildFailedVerdict('error', 'setup-failed', 'setup failed', setupOutput.Error);
  }
  if (result.agentExecutionError || agentOutput?.Success === false) {
    const why = agentOutput?.Error || taskError;
    return buildFailedVerdict('error', 'agent-failed', 'the agent failed', why);
  }
  if (taskPassed)
    return buildFailedVerdict('failed', 'assertion-failed', describeFailedAssertions(result));
  const step = findFailedStep(verifyOutput);
  if (step) return buildFailedVerdict('failed', 'verification-failed', step.title, step.why);
  const why = verifyOutput?.Error || taskError || taskJudgeError || result.taskJudgeReason;
  return buildFailedVerdict('failed', 'verification-failed', 'verification failed', why);
}

/** Members that decide whether a task run failed, or could not be judged. */
const causeMembers = [
  'timedOut',
  'agentExecutionError',
  'setupOutput',
  'setupOutput.Success',
  'agentOutput',
  'agentOutput.Success',
];

/** Whether all assertions held: `allAssertionsPassed`, unless a listed one failed. Undefined: not known. */
export function haveAssertionsHeld(
  { allAssertionsPassed, assertionResults }: McpcheckerTaskRun,
  lost: LostMembers,
): boolean | undefined {
  const verdicts = Object.values(assertionResults ?? {});
  if (allAssertionsPassed === false || verdicts.some((verdict) => verdict?.passed === false))
    return false;
  if (allAssertionsPassed) return true;
  // mcpchecker always writes `allAssertionsPassed`; if it is lost, the listed assertions have to be complete.
  const isClear = lost.findAssertionsReason() === undefined;
  return isClear && verdicts.some((verdict) => verdict?.passed) ? true : undefined;
}

function buildUnknownVerdict(message: string): Verdict {
  return { outcome: 'error', failure: { category: 'unknown', message, evidence: taskRunSeq } };
}

function buildFailedVerdict(
  outcome: Outcome,
  category: FailureCategory,
  title: string,
  why?: string | null,
): Verdict {
  const message = why ? `${title}: ${why}` : title;
  return { outcome, failure: { category, message, evidence: taskRunSeq } };
}

/** The first failed step: the message of the phase only says that there is one. */
function findFailedStep(phase: McpcheckerTaskRun['verifyOutput']) {
  const steps = phase?.Steps ?? [];
  const index = steps.findIndex((step) => step?.success !== true);
  if (index === -1) return undefined;
  const step = steps[index];
  const why = step ? step.error || step.message : phase?.Error;
  return { title: `step ${index + 1} of verify failed`, why };
}

function describeFailedAssertions({ assertionResults }: McpcheckerTaskRun): string {
  const failed = Object.entries(assertionResults ?? {}).flatMap(([name, verdict]) =>
    verdict?.passed === false ? [verdict.reason ? `${name}: ${verdict.reason}` : name] : [],
  );
  const [first] = failed;
  if (first === undefined) return 'an assertion did not hold';
  return failed.length > 1 ? `${failed.length} assertions did not hold: ${first}` : first;
}

type Path = readonly (string | number)[];

/** Members of a task run that were left out, and that its verdict or a new one depends on. */
export class LostMembers {
  readonly #parts = new Map<string, LeftOut>();
  #hasEvidence = false;

  add(part: LeftOut, path: Path): void {
    const [member = '', ...within] = path;
    // A phase is known by its outcome alone; assertions are known one by one.
    const key = [member, ...within.slice(0, 1)].join('.');
    if (!this.#parts.has(key)) this.#parts.set(key, part);
    const isEvidence = member === 'callHistory' || member === 'taskOutput';
    if (isEvidence && !harmlessMcpcheckerMembers.has(path.at(-1) ?? '')) this.#hasEvidence = true;
  }

  /** Why one of these members is not known; undefined if all are. */
  findReason(...members: readonly string[]): string | undefined {
    const found = members.find((member) => this.#parts.has(member));
    const part = found === undefined ? undefined : this.#parts.get(found);
    return part && formatLeftOut(part);
  }

  /** Why the verdict of an assertion is not known; undefined if all are. */
  findAssertionsReason(): string | undefined {
    return this.findReason(
      ...[...this.#parts.keys()].filter((key) => /^assertionResults(\.|$)/.test(key)),
    );
  }

  /** Whether something was lost that is needed to judge the task run again. */
  get hasEvidence(): boolean {
    return this.#hasEvidence;
  }
}

/** Members whose loss changes no verdict. */
const harmlessMcpcheckerMembers = new Set<string | number>([
  'timestamp',
  'tokens',
  'inputTokens',
  'outputTokens',
]);
