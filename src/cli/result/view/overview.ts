import { shortDuration } from '../../../analysis/amount-text.js';
import { boundedSentence } from '../../../analysis/summary/bounded-text.js';
import type { Outcome } from '../../../events/task-run-events.js';
import { type TaskRunNumber, taskRunKey } from '../../../events/task-run-key.js';
import type { PooledResults } from '../../../results/pooled-results.js';
import { describeOutcome } from '../../check/wording.js';
import { type Column, tableLines } from '../table.js';
import type { Look } from './look.js';

/** A task run in a line. */
export interface OverviewLine {
  /** To find it again. */
  key: string;
  task: string;
  /** Of a matrix. */
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
export function keyOf(path: string, taskRun: TaskRunNumber): string {
  return JSON.stringify([path, taskRunKey(taskRun)]);
}

export async function overviewOf(results: PooledResults): Promise<OverviewLine[]> {
  const lines: OverviewLine[] = [];
  for await (const { file, taskRun } of results.taskRuns({ withoutCallResults: true })) {
    const { task, variant, run, runs, outcome, durationMs, callCounts, failure } = taskRun;
    lines.push({
      key: keyOf(file.path, taskRun),
      task,
      variant,
      run,
      runs,
      outcome,
      durationMs,
      calls: callCounts.tool + callCounts.resource + callCounts.prompt,
      failedCalls: callCounts.errors,
      why: failure ? boundedSentence(`${failure.category}: ${failure.message}`) : '',
    });
  }
  return lines;
}

/** Nobody reads longer lists. */
const maxRows = 200;

type OverviewColumn = Column & { cell(line: OverviewLine): string };

const columns: OverviewColumn[] = [
  { title: 'task', cell: ({ task }) => task },
  { title: 'variant', cell: ({ variant }) => variant ?? '' },
  { title: 'run', align: 'right', cell: ({ run, runs }) => (runs > 1 ? String(run) : '') },
  {
    title: 'time',
    align: 'right',
    cell: ({ durationMs }) => (durationMs === null ? '' : shortDuration(durationMs)),
  },
  {
    title: 'calls',
    align: 'right',
    cell: ({ calls, failedCalls }) => `${calls}${failedCalls > 0 ? `, ${failedCalls} failed` : ''}`,
  },
  { title: 'why not', flexible: true, cell: ({ why }) => why },
];

/**
 * Every task run in a line; those that did not pass come last, as their stories follow. Of a matrix,
 * those of a variant stand together.
 */
export function overviewLines(all: readonly OverviewLine[], look: Look): string[] {
  const { style, signs, width } = look;
  const lines = byVariant(all);
  const passed = lines.filter(({ outcome }) => outcome === 'passed');
  const others = lines.filter(({ outcome }) => outcome !== 'passed').slice(0, maxRows);
  const shown = [...passed.slice(0, Math.max(maxRows - others.length, 0)), ...others];
  const used = columns.filter(({ cell }) => shown.some((line) => cell(line) !== ''));
  const rows = shown.map((line) => {
    const { sign, format } = describeOutcome(line.outcome, false);
    const cells = used.map((column) => {
      const text = column.cell(line);
      return column.flexible ? { text, format } : text;
    });
    return [{ text: signs[sign], format }, ...cells];
  });
  const more = lines.length - shown.length;
  return [
    ...tableLines([{ title: '' }, ...used], rows, { style, width }),
    ...(more > 0 ? [style('dim', `and ${more} more`)] : []),
  ];
}

function byVariant(lines: readonly OverviewLine[]): readonly OverviewLine[] {
  const groups = new Map<string | null, OverviewLine[]>();
  for (const line of lines) {
    const group = groups.get(line.variant);
    if (group) group.push(line);
    else groups.set(line.variant, [line]);
  }
  return [...groups.values()].flat();
}
