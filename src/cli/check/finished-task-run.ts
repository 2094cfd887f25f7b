import type { CostSource } from '../../events/cost-source.js';
import type { JournalEvent } from '../../events/event.js';
import type { JudgeUsage } from '../../events/judge-usage.js';
import type { Failure, Outcome } from '../../events/task-run-events.js';
import type { Redact } from './plan-summary.js';
import type { FailedStep, TaskRunEvidence } from './task-run-evidence.js';
import { beginningOf, endOf, sentenceOf, type TextEnd } from './text-parts.js';

/** A task run that is over, as far as it is told. */
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
  calls: number;
  callErrors: number;
  /** Of arguments and results of calls. */
  callTokens: number;
  /** Of the model, where the agent tells. */
  tokens?: { input: number; output: number };
  cost?: number;
  /** How the cost came about. */
  costSource?: CostSource;
  /** What its judgements took. */
  judge?: JudgeUsage;
  failure?: Failure;
  /** Tools that the agent did not get from itself. */
  deniedTools: string[];
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

const maxDenied = 20;

export function finishedTaskRunOf(
  event: TaskRunEnded,
  place: Pick<FinishedTaskRun, 'runs' | 'isOpen' | 'worker'>,
  evidence: TaskRunEvidence | undefined,
  redact: Redact,
): FinishedTaskRun {
  const { task, run, outcome, durationMs, calls, usage, cost, failure, workdir, output } = event;
  const denied = new Set(event.permissionDenials?.map(({ tool }) => redact(tool)));
  const finished: FinishedTaskRun = {
    task,
    run,
    ...place,
    outcome,
    durationMs,
    calls: calls.tool + calls.resource + calls.prompt,
    callErrors: calls.errors,
    callTokens: calls.tokens,
    deniedTools: [...denied].slice(0, maxDenied).map((tool) => beginningOf(tool, 100)),
    cleanup: cleanupFailures(evidence),
    cleanupLeftOut: evidence?.cleanupLeftOut ?? 0,
  };
  if (usage) finished.tokens = { input: usage.inputTokens, output: usage.outputTokens };
  if (cost !== undefined) finished.cost = cost;
  if (event.costSource) finished.costSource = event.costSource;
  if (event.judge) finished.judge = event.judge;
  if (workdir !== undefined) finished.workdir = workdir;
  if (failure) {
    finished.failure = { ...failure, message: sentenceOf(redact(failure.message)) };
  }
  if (outcome !== 'passed' && evidence) {
    finished.evidence = evidence;
    const answer = redact(output).trim();
    if (answer !== '') finished.answer = endOf(answer);
  }
  return finished;
}

function cleanupFailures(evidence: TaskRunEvidence | undefined): FinishedTaskRun['cleanup'] {
  const steps = evidence?.cleanup ?? [];
  return steps.map(({ step, kind, source, message }) => ({ step, kind, source, message }));
}
