import { describeBlockedCalls, describeDeniedCalls } from '../../../analysis/blocked-calls.js';
import { describeReachedBudget } from '../../../analysis/figure-text.js';
import {
  decideTaskOutcome,
  type Summary,
  type TaskOutcome,
} from '../../../analysis/summary/summary.js';
import { formatSuspected, suspectedHint } from '../../../analysis/tools/tool-findings.js';
import { plural, quoteForShell } from '../../../base/text.js';
import { formatTaskName } from '../../../journal/task-run-events.js';
import type { CostSource } from '../../../journal/usage.js';
import type { Section } from '../../../reporters/document/document.js';
import { describeGroups, describeTotals } from '../../../reporters/document/summary-document.js';
import type { ResultTotals } from '../../../results/schema/results-schema.js';
import type { EvalResult, EvalStatus, RunSummary } from '../../../run/session/check-session.js';
import { joinParts, type Look, renderBlocks } from '../../terminal/document.js';
import type { Style } from '../../terminal/output.js';
import { terminalLine } from '../../terminal/text.js';
import type { FinishedTaskRun } from '../live/finished-task-run.js';
import type { TaskSummary } from '../live/plan-summary.js';
import type { ProgressState } from '../live/progress-state.js';
import { formatElapsed, formatTaskRunName } from '../wording.js';
import { type FailedRuns, renderFailure } from './failure-report.js';

/** How a check came to its end, and what it leaves. */
export interface CheckEnd extends RunSummary {
  /** As people can open it from where they are. */
  resultsPath: string;
  journalPath: string;
}

export interface ReportContext extends Look {
  state: ProgressState;
  /** What to type to run Proctor. */
  program: string;
  /** The words after it that do the same again. */
  repeat: readonly string[];
  control: boolean;
  elapsedMs: number;
}

/** Everything that is said in the end: failures in full, notes, the summary of the results, what to do next. */
export function renderFinalReport(end: CheckEnd, context: ReportContext): string {
  const { state, control, style, elapsedMs } = context;
  const notes = collectNotes(state, end.summary);
  return joinParts([
    ...(control ? [renderControlReport(end.summary, style)] : failures(end, context)),
    notes.length > 0 ? [style('bold', 'Worth a look'), ...notes.map((note) => `  ${note}`)] : [],
    ...(control ? [] : renderBlocks(describeFigures(end, state, elapsedMs), context)),
    ending(end, context),
  ]);
}

function describeFigures(
  { summary, totals }: CheckEnd,
  { plan }: ProgressState,
  elapsedMs: number,
): Section[] {
  const isPriced = (source: CostSource | undefined) =>
    source !== undefined && source !== 'reported';
  const planned = new Set(plan.tasks.map(({ task }) => task)).size;
  const runs = describeAutoRuns(plan.tasks);
  return [
    ...describeGroups(summary),
    describeTotals(summary, {
      time: formatElapsed(elapsedMs),
      ...(runs !== undefined && { runs }),
      tasksNotRun: planned - summary.totals.tasks,
      isPriced: { agent: isPriced(totals.costSource), judge: isPriced(totals.judge.costSource) },
    }),
  ];
}

/** With --runs auto: how many tasks ran often enough. */
function describeAutoRuns(tasks: readonly TaskSummary[]): string | undefined {
  const auto = tasks.filter(({ isOpen }) => isOpen !== undefined);
  if (auto.length === 0) return undefined;
  const settled = auto.filter(({ isOpen }) => !isOpen);
  const full = settled.filter((task) => task.settled === 'max').length;
  const most = full > 0 ? `, ${full} of them by the maximum number of runs` : '';
  return `auto: ${settled.length} of ${plural(auto.length, 'task')} settled${most}`;
}

function failures(end: CheckEnd, { state, style }: ReportContext): string[][] {
  const inOrder = state.plan.tasks.flatMap(({ name }) =>
    state.finishedRunsOf(name).sort((a, b) => a.run - b.run),
  );
  // An interrupted task run has no failure to show.
  const failed = inOrder.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'cancelled');
  if (failed.length === 0) return [];
  const inFull = failed.filter(({ evidence }) => evidence);
  const others = failed.filter(({ evidence }) => !evidence);
  const title = style(['bold', 'red'], `${plural(failed.length, 'task run')} did not pass`);
  return [
    [title],
    ...equalFailures(inFull).map((runs) => renderFailure(runs, end, style)),
    ...(others.length > 0 ? [inShort(others, end)] : []),
  ];
}

/** Runs of one task that failed alike, together: the first one shows what happened to all of them. */
function equalFailures(failed: readonly FinishedTaskRun[]): FailedRuns[] {
  const groups = new Map<string, FailedRuns>();
  for (const run of failed) {
    const { task, outcome, failure } = run;
    const key = JSON.stringify([task, outcome, failure?.category, failure?.message]);
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  return [...groups.values()];
}

function inShort(failed: readonly FinishedTaskRun[], { resultsPath }: CheckEnd): string[] {
  return [
    `${failed.length} more, in full in ${terminalLine(resultsPath)}:`,
    ...failed.map((run) => {
      const why = run.failure ? `${run.failure.category}: ${run.failure.message}` : run.outcome;
      return `  ${formatTaskRunName(run)}  ${terminalLine(why)}`;
    }),
  ];
}

function ending(
  end: CheckEnd,
  { state, program, repeat, control, style }: ReportContext,
): string[] {
  const { resultsPath, journalPath } = end;
  const paths = [`Results: ${terminalLine(resultsPath)}`, `Journal: ${terminalLine(journalPath)}`];
  const command = [program, ...repeat.map(quoteForShell)].join(' ');
  const hasFailures = state.finished.some(({ outcome }) => outcome !== 'passed');
  const rerun = `${command} --rerun-failed ${quoteForShell(resultsPath)}`;
  if (end.end === 'interrupted' || end.end === 'broken') {
    const what = end.end === 'interrupted' ? 'Interrupted' : 'Not finished';
    const next = control ? '' : '; the same command with --resume continues';
    return [...paths, style('yellow', `${what}${next}`)];
  }
  const early = stoppedEarly(end).map((line) => style('yellow', line));
  if (control) return [...early, ...paths];
  const results = terminalLine(quoteForShell(resultsPath));
  const look = ['Details:', `  ${program} view ${results}`, `  ${program} report ${results}`];
  const again = hasFailures ? ['Re-run failures:', `  ${terminalLine(rerun)}`] : [];
  return [...early, ...paths, ...look, ...again];
}

function stoppedEarly({ end, budget }: CheckEnd): string[] {
  if (end === 'bailed') return ['Stopped early by --bail'];
  if (end !== 'budget' || !budget) return [];
  const next = 'to continue, add --resume and raise or remove the limit';
  return [`Stopped early: ${describeReachedBudget(budget)}; ${next}`];
}

/** The report of a control run: what it says about the tasks. */
function renderControlReport({ tasks, totals }: Summary, style: Style): string[] {
  const pick = (...wanted: TaskOutcome[]) =>
    tasks.filter((task) => wanted.includes(decideTaskOutcome(task)));
  const vacuous = pick('passed', 'flaky');
  const noticed = pick('failed');
  const unclear = pick('timeout', 'error', 'cancelled');
  const lines: string[] = [];
  if (vacuous.length > 0) {
    const isOne = vacuous.length === 1;
    const what = isOne
      ? '1 task passes without an agent: it checks nothing'
      : `${vacuous.length} tasks pass without an agent: they check nothing`;
    lines.push(
      style(['red', 'bold'], what),
      ...vacuous.map((task) => `  ${style('red', terminalLine(formatTaskName(task)))}`),
      `Make ${isOne ? 'it' : 'them'} verify something that is not true until the agent has done its work.`,
    );
  }
  if (unclear.length > 0) {
    lines.push(
      `${plural(unclear.length, 'task')} could not be judged:`,
      ...unclear.map((task) => {
        const [failure] = task.failures;
        const why = failure ? `${failure.category}: ${failure.message}` : decideTaskOutcome(task);
        return `  ${terminalLine(`${formatTaskName(task)}  ${why}`)}`;
      }),
    );
  }
  if (totals.notRun > 0) lines.push(`${plural(totals.notRun, 'task')} did not run.`);
  if (noticed.length === tasks.length && totals.notRun === 0 && noticed.length > 0) {
    const every = plural(noticed.length, 'task');
    lines.push(style('green', `Every task fails without an agent, as it should (${every}).`));
  } else if (noticed.length > 0) {
    const failAsMeant =
      noticed.length === 1
        ? 'fails without an agent, as it should'
        : 'fail without an agent, as they should';
    lines.push(`${noticed.length} of ${plural(tasks.length, 'task')} ${failAsMeant}.`);
  }
  return lines;
}

type Format = Parameters<Style>[0];

const words: Record<EvalStatus, { word: string; format: Format }> = {
  passed: { word: 'passed', format: 'green' },
  failed: { word: 'failed', format: 'red' },
  interrupted: { word: 'interrupted', format: 'yellow' },
  'not-run': { word: 'not run', format: 'yellow' },
  'handed-over': { word: 'handed over', format: 'cyan' },
  skipped: { word: 'skipped', format: 'yellow' },
};

/** The last report of a check of several evals. */
export function renderClosingReport(
  ends: readonly EvalResult[],
  control: boolean,
  style: Style,
): string {
  const width = Math.max(...ends.map(({ status }) => words[status].word.length));
  const lines = ends.map(({ name, file, status, reason, totals }) => {
    const { word, format } = words[status];
    const facts = reason ?? (totals ? countsText(totals, control) : 'there are no results');
    const what = `${terminalLine(name)} (${terminalLine(file)}): ${terminalLine(facts)}`;
    return `  ${style(format, word.padEnd(width))}  ${what}`;
  });
  const counts = Object.entries(words).flatMap(([status, { word }]) => {
    const count = ends.filter((end) => end.status === status).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  const total = style('bold', `${plural(ends.length, 'eval')}: ${counts.join(', ')}`);
  return `${style('bold', 'Evals')}\n${lines.join('\n')}\n\n${total}\n`;
}

function countsText({ planned, outcomes }: ResultTotals, control: boolean): string {
  const outcome = control ? 'failed' : 'passed';
  const noun = plural(planned, 'task run');
  if (planned === 0) return 'no task runs';
  return `${outcomes[outcome]} of ${noun} ${outcome}${control ? ' without an agent, as they should' : ''}`;
}

/** How many notes of one kind are shown. */
const maxNotes = 10;

/** Collects what did not decide anything, but is worth a look. */
function collectNotes(state: ProgressState, { totals }: Summary): string[] {
  const { finished } = state;
  const leftOutOfCleanup = finished.reduce((sum, run) => sum + run.cleanupLeftOut, 0);
  return [
    ...limited(describeBlockedCalls(totals.blocked).map(terminalLine)),
    ...limited(describeDeniedCalls(totals.denied).map(terminalLine)),
    ...limited(cleanupFailures(finished), leftOutOfCleanup),
    ...limited(suspectedErrors(state)),
    ...limited(warnings(state)),
    ...limited(keptFolders(finished)),
  ];
}

function limited(notes: readonly string[], leftOut = 0): string[] {
  const more = Math.max(notes.length - maxNotes, 0) + leftOut;
  return more > 0 ? [...notes.slice(0, maxNotes), `and ${more} more like this`] : [...notes];
}

function cleanupFailures(finished: readonly FinishedTaskRun[]): string[] {
  return finished.flatMap((run) =>
    run.cleanup.map(({ step, kind, source, message }) => {
      const what = terminalLine(`cleanup step ${step} (${kind}, ${source.file}:${source.line})`);
      return `${formatTaskRunName(run)}: ${what} did not pass: ${terminalLine(message)}`;
    }),
  );
}

function suspectedErrors({ suspectedErrors: counts }: ProgressState): string[] {
  return counts.all.map(({ name, calls, suspected, example }) =>
    terminalLine(`${name}: ${formatSuspected(suspected, calls)} (${example}): ${suspectedHint}`),
  );
}

function warnings(state: ProgressState): string[] {
  return state.warnings.all.map(({ server, message, count }) => {
    const where = server === undefined ? '' : `${server}: `;
    const times = count > 1 ? ` (${count} times)` : '';
    return `warning: ${terminalLine(`${where}${message}`)}${times}`;
  });
}

function keptFolders(finished: readonly FinishedTaskRun[]): string[] {
  return finished.flatMap((run) =>
    run.workdir === undefined || run.outcome !== 'passed'
      ? []
      : [`${formatTaskRunName(run)}: the working directory is in ${terminalLine(run.workdir)}`],
  );
}
