import { type BlockedTool, DeniedCalls, type DeniedTool } from '../../../analysis/blocked-calls.js';
import type { JournalEvent } from '../../../journal/event.js';
import type { Failure, Outcome } from '../../../journal/task-run-events.js';
import type { CostSource, JudgeUsage } from '../../../journal/usage.js';
import { computeWorkingTime } from '../../../results/task-run-record.js';
import { joinLines, type TextEnd, takeLastLines, truncateText } from '../wording.js';
import type { Redact } from './plan-summary.js';
import type { FailedStep, TaskRunEvidence } from './task-run-evidence.js';

/** A task run that is over, as far as it is shown. */
export interface FinishedTaskRun {
  task: string;
  run: number;
  runs: number;
  /** There were to be more, by what was known then. */
  isOpen: boolean;
  /** Who did it, where workers do. */
  worker?: string;
  outcome: Outcome;
  durationMs: number;
  /** The same without what limits of the check made it wait, as results count it. */
  workedMs: number;
  calls: number;
  callErrors: number;
  /** Calls that the MCP config did not let through. */
  blocked: readonly BlockedTool[];
  /** Calls whose result looks like an error, and is not marked as one. */
  suspectedErrors: number;
  /** Of arguments and results of calls. */
  callTokens: number;
  /** Tokens of the model, where the agent reports them. */
  tokens?: { input: number; output: number };
  cost?: number;
  /** How the cost came about. */
  costSource?: CostSource;
  /** What its judgements took. */
  judge?: JudgeUsage;
  failure?: Failure;
  /** Tools that the agent's own permission system denied. */
  denied: DeniedTool[];
  /** Steps of cleanup that did not pass: kept with every outcome, so without their outputs. */
  cleanup: Pick<FailedStep, 'step' | 'kind' | 'source' | 'message'>[];
  cleanupLeftOut: number;
  /** Kept, and where. */
  workdir?: string;
  /** With everything but `passed`; not kept when there are too many. */
  evidence?: TaskRunEvidence;
  /** The end of the agent's answer, beside the evidence. */
  answer?: TextEnd;
}

type TaskRunEnded = Extract<JournalEvent, { type: 'task-run-ended' }>;

export function describeFinishedTaskRun(
  event: TaskRunEnded,
  place: Pick<FinishedTaskRun, 'runs' | 'isOpen' | 'worker' | 'blocked' | 'suspectedErrors'>,
  evidence: TaskRunEvidence | undefined,
  redact: Redact,
): FinishedTaskRun {
  const { task, run, outcome, durationMs, waitedMs, calls, usage, cost, failure } = event;
  const { workdir, output } = event;
  const denied = new DeniedCalls();
  for (const { tool, reason } of event.permissionDenials ?? []) {
    denied.addCall(truncateText(redact(tool), 100), reason && truncateText(redact(reason), 300));
  }
  const finished: FinishedTaskRun = {
    task,
    run,
    ...place,
    outcome,
    durationMs,
    workedMs: computeWorkingTime({ durationMs, waitedMs }) ?? 0,
    calls: calls.tool + calls.resource + calls.prompt,
    callErrors: calls.errors,
    callTokens: calls.tokens,
    denied: denied.tools,
    cleanup: cleanupFailures(evidence),
    cleanupLeftOut: evidence?.cleanupLeftOut ?? 0,
  };
  if (usage) finished.tokens = { input: usage.inputTokens, output: usage.outputTokens };
  if (cost !== undefined) finished.cost = cost;
  if (event.costSource) finished.costSource = event.costSource;
  if (event.judge) finished.judge = event.judge;
  if (workdir !== undefined) finished.workdir = workdir;
  if (failure) {
    finished.failure = { ...failure, message: joinLines(redact(failure.message)) };
  }
  if (outcome !== 'passed' && evidence) {
    finished.evidence = evidence;
    const answer = redact(output).trim();
    if (answer !== '') finished.answer = takeLastLines(answer);
  }
  return finished;
}

function cleanupFailures(evidence: TaskRunEvidence | undefined): FinishedTaskRun['cleanup'] {
  const steps = evidence?.cleanup ?? [];
  return steps.map(({ step, kind, source, message }) => ({ step, kind, source, message }));
}
