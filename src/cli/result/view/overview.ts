import { boundSentence } from '../../../analysis/bounded-text.js';
import { describeReachedBudget, formatShortDuration } from '../../../analysis/figure-text.js';
import { describeRecheck } from '../../../analysis/summary/caveats.js';
import { plural } from '../../../base/text.js';
import {
  formatTaskName,
  formatTaskRunKey,
  type Outcome,
  type TaskRunRef,
} from '../../../journal/task-run-events.js';
import type { PooledResults } from '../../../results/read/pooled-results.js';
import type { ResultsFile } from '../../../results/results-file.js';
import { cleanLine, fitLine, type Part } from '../../check/live/terminal-line.js';
import { describeOutcome } from '../../check/wording.js';
import { type Column, tableLines } from '../../terminal/table.js';
import { wrapLine } from '../../terminal/text.js';
import type { Look } from './view-options.js';

/** A task run in a line. */
export interface OverviewLine {
  /** Identifies the task run among all files. */
  key: string;
  task: string;
  /** Name of the variant, in a matrix. */
  variant: string | null;
  run: number;
  runs: number;
  outcome: Outcome;
  durationMs: number | null;
  calls: number;
  failedCalls: number;
  why: string;
}

/** Names a task run within the files that were given. */
export function makeTaskRunKey(path: string, taskRun: TaskRunRef): string {
  return JSON.stringify([path, formatTaskRunKey(taskRun)]);
}

export async function readOverview(results: PooledResults): Promise<OverviewLine[]> {
  const lines: OverviewLine[] = [];
  for await (const { file, taskRun } of results.taskRuns({ withoutCallResults: true })) {
    const { task, variant, run, runs, outcome, durationMs, callCounts, failure } = taskRun;
    lines.push({
      key: makeTaskRunKey(file.path, taskRun),
      task,
      variant,
      run,
      runs,
      outcome,
      durationMs,
      calls: callCounts.tool + callCounts.resource + callCounts.prompt,
      failedCalls: callCounts.errors,
      why: failure ? boundSentence(`${failure.category}: ${failure.message}`) : '',
    });
  }
  return lines;
}

/** Longer lists are cut. */
const maxRows = 200;

type OverviewColumn = Column & { cell(line: OverviewLine): string };

const columns: OverviewColumn[] = [
  { title: 'task', cell: ({ task }) => task },
  { title: 'variant', cell: ({ variant }) => variant ?? '' },
  { title: 'run', align: 'right', cell: ({ run, runs }) => (runs > 1 ? String(run) : '') },
  {
    title: 'time',
    align: 'right',
    cell: ({ durationMs }) => (durationMs === null ? '' : formatShortDuration(durationMs)),
  },
  {
    title: 'calls',
    align: 'right',
    cell: ({ calls, failedCalls }) => `${calls}${failedCalls > 0 ? `, ${failedCalls} failed` : ''}`,
  },
  { title: 'why not', isFlexible: true, cell: ({ why }) => why },
];

/**
 * Every task run in a line; those that did not pass come last, as their stories follow. Of a matrix,
 * those of a variant stand together.
 */
export function renderOverview(all: readonly OverviewLine[], look: Look): string[] {
  const { style, signs, width } = look;
  const lines = groupByVariant(all);
  const passed = lines.filter(({ outcome }) => outcome === 'passed');
  const others = lines.filter(({ outcome }) => outcome !== 'passed').slice(0, maxRows);
  const shown = [...passed.slice(0, Math.max(maxRows - others.length, 0)), ...others];
  const used = columns.filter(({ cell }) => shown.some((line) => cell(line) !== ''));
  const rows = shown.map((line) => {
    const { sign, format } = describeOutcome(line.outcome, false);
    const cells = used.map((column) => {
      const text = column.cell(line);
      return column.isFlexible ? { text, format } : text;
    });
    return [{ text: signs[sign], format }, ...cells];
  });
  const more = lines.length - shown.length;
  return [
    ...tableLines([{ title: '' }, ...used], rows, { style, width }),
    ...(more > 0 ? [style('dim', `and ${more} more`)] : []),
  ];
}

function groupByVariant(lines: readonly OverviewLine[]): readonly OverviewLine[] {
  const groups = new Map<string | null, OverviewLine[]>();
  for (const line of lines) {
    const group = groups.get(line.variant);
    if (group) group.push(line);
    else groups.set(line.variant, [line]);
  }
  return [...groups.values()].flat();
}

/** What a file records, and whether it is complete. */
export function renderFileLines(
  { path, header }: Pick<ResultsFile, 'path' | 'header'>,
  look: Look,
): string[] {
  const { style, signs, width } = look;
  const { agent, variants } = header;
  const by = agent ? [`agent ${agent.name}${agent.model ? ` (${agent.model})` : ''}`] : [];
  const [variant, ...others] = variants;
  const as = variant
    ? [others.length > 0 ? plural(variants.length, 'variant') : `variant ${variant.name}`]
    : [];
  const isRecording = header.kind === 'recording';
  const of = isRecording ? ['proxy recording'] : header.eval ? [`eval ${header.eval.name}`] : [];
  const when = header.startedAt === null ? [] : [header.startedAt.slice(0, 16).replace('T', ' ')];
  const about = [...of, ...by, ...as, ...when].join(', ');
  const parts: Part[] = [
    { text: cleanLine(path), format: 'bold' },
    ...(about === '' ? [] : [{ text: `  ${cleanLine(about)}`, format: 'dim' as const }]),
  ];
  const again = describeRecheck({ path, rechecked: header.rechecked }).map(cleanLine);
  const notes = [...again, ...renderUnfinished(header)].flatMap((line) => wrapLine(line, width));
  return [fitLine(parts, width, signs.cut, style), ...notes.map((line) => style('yellow', line))];
}

function renderUnfinished(header: ResultsFile['header']): string[] {
  const { finished, interrupted, bailed, budget, open } = header;
  if (interrupted) return ['it was interrupted: some task runs are missing'];
  if (bailed) return ['--bail ended it early: some task runs are missing'];
  if (budget) return [`${describeReachedBudget(budget)}: some task runs are missing`];
  if (finished) return [];
  if (header.kind === 'recording') return ['the proxy is still recording, or was killed'];
  const names = open
    .slice(0, maxOpen)
    .map((each) => cleanLine(`${formatTaskName(each)} (run ${each.run})`));
  const more = open.length > maxOpen ? `, and ${open.length - maxOpen} more` : '';
  const under =
    open.length > 0
      ? `; ${plural(open.length, 'task run')} under way: ${names.join(', ')}${more}`
      : '';
  return [`it is still running, or was killed${under}`];
}

const maxOpen = 5;
