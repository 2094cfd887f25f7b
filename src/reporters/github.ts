import { appendFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import {
  BlockedCalls,
  DeniedCalls,
  describeBlockedCalls,
  describeDeniedCalls,
} from '../analysis/blocked-calls.js';
import { describeReachedBudget } from '../analysis/figure-text.js';
import { CompletenessFold } from '../analysis/summary/completeness.js';
import { truncateWithCount } from '../base/text.js';
import { formatTaskName } from '../journal/task-run-events.js';
import type { ResultsFile } from '../results/results-file.js';
import type { TaskRunRecord } from '../results/task-run-record.js';
import { makeMarkdownReport } from './document/summary-document.js';
import {
  decidePlainVerdict,
  type FailedCheck,
  listFailedChecks,
  type PlainVerdict,
} from './plain-verdict.js';
import { type CreateReporter, poolFile } from './reporter.js';
import { formatWorkflowCommand } from './workflow-commands.js';

/** Writes annotations to the log, and the job summary. */
export const createGithubReporter: CreateReporter = (context) => {
  const { output, environment, evalFolder, cwd } = context;
  const workspace = environment.GITHUB_WORKSPACE || cwd;
  const summaryFile = environment.GITHUB_STEP_SUMMARY;
  return {
    async onEnd({ results }) {
      const lines = await makeAnnotations(results, { evalFolder, workspace });
      await output.write(lines.join(''));
      if (summaryFile)
        await appendJobSummary(summaryFile, await makeMarkdownReport(poolFile(results)));
    },
  };
};

/** GitHub shows at most this many errors of a step. */
const maxErrors = 10;
/** Distinct problems that are kept to choose from. */
const maxKept = 5000;
const maxTitle = 200;
const maxMessage = 2000;

interface Problem extends FailedCheck {
  /** Task, with its variant if there is one. */
  task: string;
  is: 'failure' | 'error';
  times: number;
  runs: number;
}

export interface Places {
  /** Folder of the eval; paths in results are relative to it. */
  evalFolder: string;
  /** The root of the repository. */
  workspace: string;
}

/**
 * Makes the lines of annotations: failures, the most important first, then calls that were blocked or denied,
 * then a summary.
 */
export async function makeAnnotations(results: ResultsFile, places: Places): Promise<string[]> {
  const problems = new Map<string, Problem>();
  const counts = { good: 0, failure: 0, error: 0 };
  const evaluations = new CompletenessFold([results]);
  const blocked = new BlockedCalls();
  const denied = new DeniedCalls();
  for await (const taskRun of results.taskRuns({ withoutCallResults: true })) {
    const verdict = decidePlainVerdict(taskRun, results.header);
    counts[verdict.is] += 1;
    evaluations.add(results, taskRun);
    for (const { server, name, ...call } of taskRun.calls) {
      blocked.addCall({
        ...call,
        server: truncateWithCount(server, maxTitle),
        name: truncateWithCount(name, maxTitle),
      });
    }
    for (const { tool, reason } of taskRun.permissionDenials) {
      denied.addCall(
        truncateWithCount(tool, maxTitle),
        reason && truncateWithCount(reason, maxTitle),
      );
    }
    if (verdict.is !== 'good' && taskRun.outcome !== 'cancelled') {
      for (const check of listChecks(taskRun, verdict))
        addProblem(problems, check, taskRun, verdict.is);
    }
  }
  const notAllowed = [...describeBlockedCalls(blocked.tools), ...describeDeniedCalls(denied.tools)];
  const inOrder = [...problems.values()].sort(compareByImportance);
  return [
    ...inOrder.slice(0, maxErrors).map((problem) => formatError(problem, places)),
    ...notAllowed.slice(0, maxErrors).map((sentence) =>
      formatWorkflowCommand({
        level: 'warning',
        title: 'Proctor',
        message: truncateWithCount(sentence, maxMessage),
      }),
    ),
    formatSummary(counts, describeNotRun(evaluations), inOrder.length - maxErrors),
  ];
}

/** Failed checks of a task run; without any, the verdict at the place of the task. */
function listChecks(taskRun: TaskRunRecord, { type, message }: PlainVerdict): FailedCheck[] {
  const checks = listFailedChecks(taskRun);
  const at = { file: taskRun.path, line: 1 };
  return checks.length > 0 ? checks : [{ title: type, message, at }];
}

function addProblem(
  problems: Map<string, Problem>,
  check: FailedCheck,
  taskRun: TaskRunRecord,
  is: Problem['is'],
): void {
  const { title, at } = check;
  const { runs } = taskRun;
  const task = formatTaskName(taskRun);
  const key = JSON.stringify([task, title, at?.file, at?.line]);
  const known = problems.get(key);
  if (known) known.times += 1;
  else if (problems.size < maxKept) {
    const message = truncateWithCount(check.message, maxMessage);
    problems.set(key, { task, title, message, at, is, times: 1, runs });
  }
}

/** Orders failures before errors, and what always fails before what is flaky. */
function compareByImportance(left: Problem, right: Problem): number {
  if (left.is !== right.is) return left.is === 'failure' ? -1 : 1;
  return right.times / right.runs - left.times / left.runs;
}

function formatError(problem: Problem, places: Places): string {
  const { task, title, message, at, times, runs } = problem;
  const where = at ? findPlaceInRepository(at, places) : undefined;
  const text = [
    message,
    ...(runs > 1 ? [`in ${times} of ${runs} runs`] : []),
    ...(at && !where ? [`${at.file}:${at.line}`] : []),
  ];
  return formatWorkflowCommand({
    level: 'error',
    title: truncateWithCount(`${task}: ${title}`, maxTitle),
    message: text.join('\n'),
    at: where,
  });
}

/** A place relative to the repository; undefined if it is outside, where GitHub cannot show it. */
function findPlaceInRepository(at: { file: string; line: number }, places: Places) {
  const file = relative(places.workspace, resolve(places.evalFolder, at.file));
  const isInside = file !== '' && !isAbsolute(file) && file.split(sep)[0] !== '..';
  return isInside ? { file: file.split(sep).join('/'), line: at.line } : undefined;
}

function describeNotRun({ notRun, budgets }: CompletenessFold): string | undefined {
  if (notRun === 0) return undefined;
  const why = budgets.map((budget) => `: ${describeReachedBudget(budget)}`).join('');
  return `${notRun} more were planned and not done${why}`;
}

function formatSummary(
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
  return formatWorkflowCommand({ level, title: 'Proctor', message });
}

/** GitHub refuses the summary of a step that is larger. */
const maxBytes = 1024 * 1024;
const mark = '\n\n_[... the rest is left out: GitHub takes 1 MiB ...]_\n';

/** Appends Markdown to the job summary, truncated to the limit of GitHub. */
export async function appendJobSummary(path: string, markdown: string): Promise<void> {
  const used = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  await appendFile(path, truncateToBytes(`${markdown}\n`, maxBytes - used));
}

/** Truncates text to a number of bytes, at the end of a line. */
function truncateToBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const room = limit - Buffer.byteLength(mark);
  if (room <= 0) return '';
  const end = bytes.lastIndexOf(0x0a, room);
  return `${bytes.toString('utf8', 0, Math.max(end, 0))}${mark}`;
}
