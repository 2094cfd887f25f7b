import {
  formatMethod,
  formatNotJudged,
  formatPoints,
  isNoteworthy,
  listAmountChanges,
  listDiffNextSteps,
} from '../../analysis/diff/diff-wording.js';
import type {
  DiffSide,
  DiffVerdict,
  FailOn,
  Headline,
  ResultsDiff,
  TaskDiff,
  ToolChange,
} from '../../analysis/diff/results-diff.js';
import {
  formatDollars,
  formatPercent,
  formatRateWithInterval,
  formatShortDuration,
  formatShortNumber,
} from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { quoteForShell } from '../check/wording.js';
import type { Style } from '../terminal/output.js';
import { type Cell, type Column, type TableOptions, tableLines } from '../terminal/table.js';
import { displayWidth, terminalLine, withoutStyle } from '../terminal/text.js';

interface Look {
  style: Style;
  /** Columns of the terminal, if it is one. */
  width: number | undefined;
}

interface Gate {
  failOn: FailOn;
  stopped: boolean;
}

const toneFormats: Record<Headline['tone'], Parameters<Style>[0]> = {
  better: ['bold', 'green'],
  worse: ['bold', 'red'],
  mixed: ['bold', 'yellow'],
  open: ['bold', 'yellow'],
  same: 'bold',
};

/** More lines are not printed as text; `-o json` has them all. */
const mostLines = 50;
const fewTasks = 20;

/** A comparison for people: the answer, then what it rests on, then what to do. */
export function renderDiff(diff: ResultsDiff, gate: Gate, look: Look): string {
  const { style } = look;
  const { tone, text } = diff.headline;
  const sections = [
    [style(toneFormats[tone], text)],
    diff.caveats.map((caveat) => style('yellow', `note: ${terminalLine(caveat)}`)),
    renderTotal(diff, look),
    renderSection('Tasks', renderTasks(diff, look), style),
    renderSection('New tasks', renderSides(diff.added), style),
    renderSection('Removed tasks', renderSides(diff.removed), style),
    renderSection('A task run takes, on average', renderAmounts(diff, look), style),
    renderSection('Tools', renderTools(diff.tools, style), style),
    renderSection('Next', renderNextSteps(diff, gate), style),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function renderSection(title: string, lines: string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style('bold', title), ...lines];
}

function renderTotal({ total }: ResultsDiff, { style }: Look): string[] {
  const { base, current, difference, low, high, verdict } = total;
  const interval =
    low === null || high === null
      ? ''
      : ` (${formatPoints(low)} to ${formatPoints(high)}, 95% interval)`;
  const change = difference === null ? 'unknown' : `${formatPoints(difference)} points${interval}`;
  const rows: [string, string][] = [
    ['base', formatTotalSide(base)],
    ['current', formatTotalSide(current)],
    ['difference', `${change}, mean over tasks`],
    ['as a whole', `${style(verdictFormats[verdict], verdict)} (${formatMethod(total)})`],
  ];
  return rows.map(([name, text]) => `${style('dim', name.padEnd(10))}  ${text}`);
}

function formatTotalSide(side: ResultsDiff['total']['base']): string {
  const aside = formatNotJudged(side);
  const judged = `${side.passed} of ${side.judged} judged task runs passed`;
  return `${formatRateWithInterval(side)}, ${judged}${aside === '' ? '' : `; left out: ${aside}`}`;
}

/** Sides that are alike are shown only where all sides fit. */
function renderTasks({ tasks }: ResultsDiff, look: Look): string[] {
  const wanted = tasks.length > fewTasks ? tasks.filter(isNoteworthy) : tasks;
  const alike = tasks.length - wanted.length;
  const shown = wanted.slice(0, mostLines);
  return [
    ...(shown.length > 0 ? renderTaskTable(shown, { ...look, indent: '  ' }) : []),
    ...describeRest(wanted, shown),
    ...shown.flatMap(renderNotes),
    ...(alike > 0 ? [`  ${plural(alike, 'task')} with nothing to see: -o json has them all`] : []),
  ];
}

function renderNotes(task: TaskDiff): string[] {
  return task.notes.map((note) => `  ${terminalLine(`${formatTaskName(task)}: ${note}`)}`);
}

function renderSides(tasks: ResultsDiff['added']): string[] {
  const shown = tasks.slice(0, mostLines);
  const lines = shown.map(
    (each) => `  ${terminalLine(formatTaskName(each))}  ${formatRateWithInterval(each.side)}`,
  );
  return [...lines, ...describeRest(tasks, shown)];
}

const amountColumns: readonly Column[] = [
  { title: '' },
  { title: 'base', align: 'right' },
  { title: 'current', align: 'right' },
  { title: 'change', align: 'right' },
];

function renderAmounts({ total }: ResultsDiff, look: Look): string[] {
  const rows = listAmountChanges(total).map(({ what, amount, before, now, change }): Cell[] => {
    const show = (value: number) => {
      if (amount === 'durationMs') return formatShortDuration(value);
      if (amount === 'cost') return formatDollars(value);
      return amount.endsWith('Tokens') ? formatShortNumber(value) : value.toFixed(1);
    };
    return [what, show(before), show(now), change];
  });
  return rows.length === 0 ? [] : tableLines(amountColumns, rows, { ...look, indent: '  ' });
}

const toolFormats = { added: 'green', removed: 'red', redefined: 'yellow' } as const;

function renderTools(tools: readonly ToolChange[], style: Style): string[] {
  const shown = tools.slice(0, mostLines);
  const lines = shown.map(({ server, tool, change, parts }) => {
    const what = parts.length === 0 ? '' : `: ${parts.map(terminalLine).join(', ')}`;
    return `  ${style(toolFormats[change], change.padEnd(9))}  ${terminalLine(`${server}.${tool}`)}${what}`;
  });
  return [...lines, ...describeRest(tools, shown)];
}

function describeRest(all: readonly unknown[], shown: readonly unknown[]): string[] {
  const rest = all.length - shown.length;
  return rest > 0 ? [`  and ${rest} more: -o json has them all`] : [];
}

function renderNextSteps(diff: ResultsDiff, { failOn, stopped }: Gate): string[] {
  const why = { regression: 'got worse by more than noise', 'any-drop': 'fell', never: '' };
  const files = diff.current.map(({ path }) => terminalLine(quoteForShell(path)));
  return [
    ...(stopped ? [`  --fail-on ${failOn}: a rate ${why[failOn]}, so the exit code is 1`] : []),
    ...(stopped ? [`  see why: proctor view ${files.join(' ')} --failed`] : []),
    ...listDiffNextSteps(diff).map((step) => `  ${step}`),
  ];
}

const verdictFormats: Record<DiffVerdict, Parameters<Style>[0]> = {
  regression: 'red',
  improvement: 'green',
  'judged differently': 'yellow',
  'not enough data': 'yellow',
  'no change': 'dim',
};

/** The columns of a row: all of them, or the most important ones on a narrow terminal. */
interface TaskColumn extends Column {
  cell(task: TaskDiff): Cell;
}

const taskColumn: TaskColumn = {
  title: 'task',
  flexible: true,
  cell: (task) =>
    task.renamedFrom === null
      ? formatTaskName(task)
      : `${formatTaskName(task)} (was ${task.renamedFrom})`,
};

const pointsColumn: TaskColumn = {
  title: 'points',
  align: 'right',
  cell: ({ difference }) => (difference === null ? '-' : formatPoints(difference)),
};

const verdictColumn: TaskColumn = {
  title: 'verdict',
  cell: (task) => ({ text: formatVerdict(task), format: verdictFormats[task.verdict] }),
};

const allColumns: readonly TaskColumn[] = [
  taskColumn,
  { title: 'base [95%]', align: 'right', cell: ({ base }) => formatSideCell(base) },
  { title: 'current [95%]', align: 'right', cell: ({ current }) => formatSideCell(current) },
  pointsColumn,
  {
    title: 'p (Holm)',
    align: 'right',
    cell: ({ adjusted }) => (adjusted === null ? '-' : formatProbability(adjusted)),
  },
  verdictColumn,
];

const fewColumns: readonly TaskColumn[] = [
  taskColumn,
  { title: 'base', align: 'right', cell: ({ base }) => formatShortSide(base) },
  { title: 'current', align: 'right', cell: ({ current }) => formatShortSide(current) },
  pointsColumn,
  verdictColumn,
];

/** A line for each task, with its rates on both sides. */
function renderTaskTable(tasks: readonly TaskDiff[], options: TableOptions): string[] {
  const linesWith = (columns: readonly TaskColumn[]) => {
    const rows = tasks.map((task) => columns.map(({ cell }) => cell(task)));
    return tableLines(columns, rows, options);
  };
  const lines = linesWith(allColumns);
  const { width } = options;
  const fits = (line: string) => width === undefined || displayWidth(withoutStyle(line)) <= width;
  return lines.every(fits) ? lines : linesWith(fewColumns);
}

function formatSideCell(side: DiffSide): string {
  const { low, high } = side;
  const isKnown = side.rate !== null && low !== null && high !== null;
  return formatShortSide(side, isKnown ? ` [${formatBound(low)}, ${formatBound(high)}]` : '');
}

function formatShortSide(side: DiffSide, interval = ''): string {
  const { passed, judged, rate } = side;
  const aside = formatNotJudged(side);
  const known = `${passed}/${judged}${rate === null ? '' : ` ${formatPercent(rate)}`}${interval}`;
  return aside === '' ? known : `${known} +${aside}`;
}

function formatBound(share: number): string {
  return (share * 100).toFixed(1).replace('.0', '');
}

function formatProbability(value: number): string {
  return value < 0.001 ? '<0.001' : value.toFixed(3);
}

function formatVerdict({ verdict, moreRuns }: TaskDiff): string {
  if (verdict !== 'not enough data' || moreRuns === null) return verdict;
  return `${verdict} (${plural(moreRuns, 'more run')})`;
}
