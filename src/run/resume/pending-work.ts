import { relative } from 'node:path';
import { UsageError } from '../../base/errors.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import type { RunRecord } from '../../journal/run-events.js';
import { formatTaskRunKey } from '../../journal/task-run-events.js';
import type { TaskRun } from '../../plan/plan.js';
import type { Suite } from '../../plan/suite.js';
import { openResultsFile } from '../../results/read/open-results.js';
import { isControl } from '../../results/read/pooled-results.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { readRecordedTaskRuns } from '../../results/recheck/recorded-task-run.js';
import { ControlResultsError } from '../../results/results-errors.js';
import { redactRecordJson } from '../journal/redaction.js';
import type { EvalOutput, OutputFiles } from '../outputs/output-files.js';
import { AutoWork } from '../schedule/auto-work.js';
import { createPlannedWork, type Work } from '../schedule/scheduler.js';
import { type ResolvedOptions, recordOptions } from '../session/check-options.js';
import type { EvalToRun } from '../session/prepare-check.js';
import { decideResume, type ResumeDecision } from './resume-decision.js';
import { listServerPrograms, listSuiteFiles, refuseSuiteFiles } from './suite-files.js';

/** The task runs that a check has to do, without those that the run it resumes has done. */
export interface PendingWork {
  /** Redacted like the journal, because `--resume` compares the two. */
  record: Pick<RunRecord, 'files' | 'options'>;
  decision: ResumeDecision;
  /** Task runs that this check is about, done or not; with `--runs auto`, those that are sure to be needed. */
  selected: readonly TaskRun[];
  /** The selected task runs that are not done yet. */
  work: Work;
  /** Task runs to do plus those done. Done ones count also if, with `--force`, the plan no longer has them. */
  total: number;
}

/**
 * Finds out which task runs are to do: all that are selected, except those to which the resumed run has an outcome.
 * Throws UsageError where an earlier run, or files that the check would write, are in the way.
 */
export async function findPendingWork(
  { suites, plan, redactor, evalFolder, environment, options }: EvalToRun,
  output: OutputFiles,
  filesToWrite: EvalOutput['written'],
): Promise<PendingWork> {
  const files = [...listSuiteFiles(suites, plan, environment), ...listServerPrograms(suites)];
  const filesRead = [...files, ...listPricesFile(suites[0], evalFolder)];
  refuseSuiteFiles(filesToWrite, filesRead, evalFolder);
  const record = redactRecord(redactor, { files, options: recordOptions(options, plan) });
  const decision = await decideResume(output.journal, options, record, plan);
  const key = (taskRun: TaskRun) => formatRedactedKey(taskRun, redactor);
  const outcomes = decision.previous?.outcomes;
  const { autoRuns } = options.plan;
  const done = outcomes?.size ?? 0;
  if (autoRuns) {
    const first = plan.taskRuns.filter(({ run }) => run === 1);
    const work = new AutoWork(
      first,
      autoRuns,
      outcomes && ((taskRun) => outcomes.get(key(taskRun))),
    );
    return { record, decision, selected: work.sure, work, total: work.remaining + done };
  }
  const selected = await selectTaskRuns(plan.taskRuns, options, redactor);
  const work = createPlannedWork(selected.filter((taskRun) => !outcomes?.has(key(taskRun))));
  return { record, decision, selected, work, total: work.remaining + done };
}

/** Lists the prices file, if there is one: it does not decide what runs, but must not be overwritten either. */
function listPricesFile({ prices }: Suite, evalFolder: string): { path: string }[] {
  return prices ? [{ path: relative(evalFolder, prices.source.path) }] : [];
}

/** The key of a task run by redacted names, as records have it: a name can hold what they must not show. */
function formatRedactedKey({ task, run, variant }: TaskRun, redactor: Redactor): string {
  return formatTaskRunKey({
    task: redactor.text(task.name),
    run,
    variant: variant && redactor.text(variant.name),
  });
}

/** The task runs that `--rerun-failed` selects; without it, all of them. Throws UsageError if there are none. */
export async function selectTaskRuns(
  taskRuns: readonly TaskRun[],
  { rerunFailed }: Pick<ResolvedOptions, 'rerunFailed'>,
  redactor: Redactor,
): Promise<readonly TaskRun[]> {
  if (rerunFailed === undefined) return taskRuns;
  const failed = await readFailedTaskRuns(rerunFailed);
  const selected = taskRuns.filter((taskRun) => failed.has(formatRedactedKey(taskRun, redactor)));
  if (selected.length === 0) throw createNothingToRerunError(rerunFailed, failed.size);
  return selected;
}

function redactRecord<Data>(redactor: Redactor, data: Data): Data {
  return JSON.parse(redactRecordJson(redactor, JSON.stringify(data)));
}

/** Reads the keys of the task runs of a results file that did not pass. */
async function readFailedTaskRuns(path: string): Promise<Set<string>> {
  const failed = new Set<string>();
  try {
    const { header } = await openResultsFile(path);
    if (isControl(header)) throw new ControlResultsError(path);
    for await (const taskRun of readRecordedTaskRuns(path)) {
      if (taskRun.outcome !== 'passed') failed.add(formatTaskRunKey(taskRun));
    }
  } catch (error) {
    throw explainUnreadableResults(path, error);
  }
  return failed;
}

/** `--rerun-failed` finds nothing to run in an eval; other evals of the check may have something. */
export class NothingToRerunError extends UsageError {}

/** A selection that leaves nothing must not look like a success. */
function createNothingToRerunError(path: string, failed: number): NothingToRerunError {
  return failed === 0
    ? new NothingToRerunError(`--rerun-failed: every task run in ${path} passed`)
    : new NothingToRerunError(
        `--rerun-failed: none of the task runs in ${path} that did not pass is in this plan`,
        'are they from another eval, or do --run, --runs or --label-selector leave them out?',
      );
}
