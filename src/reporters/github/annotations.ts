import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  BlockedCalls,
  blockedSentences,
  DeniedCalls,
  deniedSentences,
} from '../../analysis/blocked-calls.js';
import { reachedText } from '../../analysis/budget-text.js';
import { EvaluationsFold } from '../../analysis/summary/evaluations.js';
import { truncateWithCount } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { type FailedCheck, failedChecks } from '../failure-details.js';
import { type PlainVerdict, plainVerdict } from '../plain-verdict.js';
import { workflowCommand } from './workflow-command.js';

/** GitHub shows no more errors of a step. */
const maxErrors = 10;
/** Different ones that are kept to choose from. */
const maxKept = 5000;
const maxTitle = 200;
const maxMessage = 2000;

interface Problem extends FailedCheck {
  /** With the variant, if there is one. */
  task: string;
  is: 'failure' | 'error';
  times: number;
  runs: number;
}

export interface Places {
  /** Paths in results start there. */
  evalFolder: string;
  /** The root of the repository. */
  workspace: string;
}

/**
 * The lines that make annotations: what did not hold, the most important first, then calls that were
 * not let through, then a summary.
 */
export async function annotations(results: ResultsFile, places: Places): Promise<string[]> {
  const problems = new Map<string, Problem>();
  const counts = { good: 0, failure: 0, error: 0 };
  const evaluations = new EvaluationsFold([results]);
  const blocked = new BlockedCalls();
  const denied = new DeniedCalls();
  for await (const taskRun of results.taskRuns({ withoutCallResults: true })) {
    const verdict = plainVerdict(taskRun, results.header);
    counts[verdict.is] += 1;
    evaluations.add(results, taskRun);
    for (const { server, name, ...call } of taskRun.calls) {
      blocked.see({
        ...call,
        server: truncateWithCount(server, maxTitle),
        name: truncateWithCount(name, maxTitle),
      });
    }
    for (const { tool, reason } of taskRun.permissionDenials) {
      denied.see(truncateWithCount(tool, maxTitle), reason && truncateWithCount(reason, maxTitle));
    }
    if (verdict.is !== 'good' && taskRun.outcome !== 'cancelled') {
      for (const check of checksOf(taskRun, verdict)) note(problems, check, taskRun, verdict.is);
    }
  }
  const notLetThrough = [...blockedSentences(blocked.tools), ...deniedSentences(denied.tools)];
  const inOrder = [...problems.values()].sort(byImportance);
  return [
    ...inOrder.slice(0, maxErrors).map((problem) => errorLine(problem, places)),
    ...notLetThrough.slice(0, maxErrors).map((sentence) =>
      workflowCommand({
        level: 'warning',
        title: 'Proctor',
        message: truncateWithCount(sentence, maxMessage),
      }),
    ),
    summaryLine(counts, notRunText(evaluations), inOrder.length - maxErrors),
  ];
}

/** What has no place of its own is shown at the task. */
function checksOf(taskRun: TaskRunRecord, { type, message }: PlainVerdict): FailedCheck[] {
  const checks = failedChecks(taskRun);
  const at = { file: taskRun.path, line: 1 };
  return checks.length > 0 ? checks : [{ what: type, message, at }];
}

function note(
  problems: Map<string, Problem>,
  check: FailedCheck,
  taskRun: TaskRunRecord,
  is: Problem['is'],
): void {
  const { what, at } = check;
  const { runs } = taskRun;
  const task = formatTaskName(taskRun);
  const key = JSON.stringify([task, what, at?.file, at?.line]);
  const known = problems.get(key);
  if (known) known.times += 1;
  else if (problems.size < maxKept) {
    const message = truncateWithCount(check.message, maxMessage);
    problems.set(key, { task, what, message, at, is, times: 1, runs });
  }
}

/** What is wrong comes before what could not be told, and what always fails before what is flaky. */
function byImportance(left: Problem, right: Problem): number {
  if (left.is !== right.is) return left.is === 'failure' ? -1 : 1;
  return right.times / right.runs - left.times / left.runs;
}

function errorLine(problem: Problem, places: Places): string {
  const { task, what, message, at, times, runs } = problem;
  const where = at ? placeInRepository(at, places) : undefined;
  const text = [
    message,
    ...(runs > 1 ? [`in ${times} of ${runs} runs`] : []),
    ...(at && !where ? [`${at.file}:${at.line}`] : []),
  ];
  return workflowCommand({
    level: 'error',
    title: truncateWithCount(`${task}: ${what}`, maxTitle),
    message: text.join('\n'),
    at: where,
  });
}

/** Undefined if it is outside, where GitHub has nothing to show. */
function placeInRepository(at: { file: string; line: number }, places: Places) {
  const file = relative(places.workspace, resolve(places.evalFolder, at.file));
  const isInside = file !== '' && !isAbsolute(file) && file.split(sep)[0] !== '..';
  return isInside ? { file: file.split(sep).join('/'), line: at.line } : undefined;
}

function notRunText({ notRun, budgets }: EvaluationsFold): string | undefined {
  if (notRun === 0) return undefined;
  const why = budgets.map((budget) => `: ${reachedText(budget)}`).join('');
  return `${notRun} more were planned and not done${why}`;
}

function summaryLine(
  counts: Record<PlainVerdict['is'], number>,
  notRun: string | undefined,
  more: number,
): string {
  const { good, failure, error } = counts;
  const judged = good + failure;
  const message = [
    `${good} of ${judged + error} task runs passed`,
    ...(failure > 0 ? [`${failure} did not`] : []),
    ...(error > 0 ? [`${error} could not be judged`] : []),
    ...(notRun === undefined ? [] : [notRun]),
    ...(more > 0 ? [`${more} more problems are in the results`] : []),
  ].join(', ');
  const level = judged === 0 || notRun !== undefined ? 'warning' : 'notice';
  return workflowCommand({ level, title: 'Proctor', message });
}
