import {
  type AmountChange,
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
  Headline,
  ResultsDiff,
  TaskDiff,
  ToolChange,
} from '../../analysis/diff/results-diff.js';
import {
  formatDollars,
  formatRateWithInterval,
  formatShortDuration,
} from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import {
  formatCodeSpan,
  formatCount,
  formatMarkdownTable,
  type MarkdownColumn,
} from './markdown.js';

/** GitHub refuses a comment over 64 KiB: with names as people give them, this many fit in. */
const mostRows = 60;
/** Tasks with notes below the table, which are longer than its rows. */
const mostNoted = 20;

const toneSigns: Record<Headline['tone'], string> = {
  better: '✅',
  worse: '❌',
  mixed: '⚠️',
  open: '❔',
  same: '➖',
};

const verdictSigns: Record<DiffVerdict, string> = {
  regression: '❌',
  improvement: '✅',
  'judged differently': '⚠️',
  'not enough data': '❔',
  'no change': '➖',
};

/** A comparison for pull requests: the answer first, then what changed, and the rest folded. */
export function formatDiffMarkdown(diff: ResultsDiff, title = 'Compared with the base'): string {
  const { tone, text } = diff.headline;
  const changed = diff.tasks.filter(isNoteworthy);
  const same = diff.tasks.filter((task) => !isNoteworthy(task));
  const sections = [
    `## ${title}: ${toneSigns[tone]} ${text}`,
    diff.caveats.map((caveat) => `> ⚠️ ${formatCodeSpan(caveat)}`).join('\n>\n'),
    formatTotal(diff).join('\n'),
    table(taskColumns, changed, 'task'),
    formatNotes(changed).join('\n'),
    listDiffNextSteps(diff)
      .map((step) => `- ${step}`)
      .join('\n'),
    folded(
      `${plural(same.length, 'task')} without a change that these runs could show`,
      table(taskColumns, same, 'task'),
    ),
    folded(`${plural(diff.added.length, 'new task')}`, formatOneSidedTasks(diff.added)),
    folded(`${plural(diff.removed.length, 'removed task')}`, formatOneSidedTasks(diff.removed)),
    folded(
      'What a task run takes, on average',
      table(amountColumns, listAmountChanges(diff.total)),
    ),
    folded(`Tools: ${formatToolCounts(diff.tools)}`, table(toolColumns, diff.tools, 'tool')),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function formatTotal({ total }: ResultsDiff): string[] {
  const { base, current, difference, low, high, verdict } = total;
  const interval =
    low === null || high === null ? '' : ` (${formatPoints(low)} to ${formatPoints(high)})`;
  const change = difference === null ? 'unknown' : `${formatPoints(difference)} points${interval}`;
  return [
    `- base ${formatSide(base)}`,
    `- current ${formatSide(current)}`,
    `- difference ${change}, mean over tasks: **${verdict}** as a whole (${formatMethod(total)})`,
  ];
}

function formatSide(side: DiffSide): string {
  const aside = formatNotJudged(side);
  const text = `${formatRateWithInterval(side)}, ${side.passed} of ${side.judged}`;
  return aside === '' ? text : `${text}; left out: ${aside}`;
}

function formatNotes(tasks: readonly TaskDiff[]): string[] {
  return tasks
    .slice(0, mostNoted)
    .flatMap((task) =>
      task.notes.map(
        (note) => `- ${formatCodeSpan(formatTaskName(task))}: ${formatCodeSpan(note)}`,
      ),
    );
}

const taskColumns: readonly MarkdownColumn<TaskDiff>[] = [
  {
    title: 'Task',
    cell: ({ task, variant, renamedFrom }) =>
      renamedFrom === null
        ? formatCodeSpan(formatTaskName({ task, variant }), 'table')
        : `${formatCodeSpan(formatTaskName({ task, variant }), 'table')} (was ${formatCodeSpan(renamedFrom, 'table')})`,
  },
  { title: 'Base (95%)', align: 'right', cell: ({ base }) => formatSide(base) },
  { title: 'Current (95%)', align: 'right', cell: ({ current }) => formatSide(current) },
  {
    title: 'Points',
    align: 'right',
    cell: ({ difference }) => (difference === null ? undefined : formatPoints(difference)),
  },
  {
    title: 'Verdict',
    cell: ({ verdict, moreRuns }) => {
      const isOpen = verdict === 'not enough data' && moreRuns !== null;
      return `${verdictSigns[verdict]} ${verdict}${isOpen ? `, ${plural(moreRuns, 'more run')} a side` : ''}`;
    },
  },
];

const amountColumns: readonly MarkdownColumn<AmountChange>[] = [
  { title: '', cell: ({ what }) => what },
  { title: 'Base', align: 'right', cell: ({ amount, before }) => formatAmount(amount, before) },
  { title: 'Current', align: 'right', cell: ({ amount, now }) => formatAmount(amount, now) },
  { title: 'Change', align: 'right', cell: ({ change }) => change },
];

function formatAmount(amount: AmountChange['amount'], value: number): string {
  if (amount === 'durationMs') return formatShortDuration(value);
  if (amount === 'cost') return formatDollars(value);
  return amount.endsWith('Tokens') ? formatCount(Math.round(value)) : value.toFixed(1);
}

const toolColumns: readonly MarkdownColumn<ToolChange>[] = [
  { title: 'Tool', cell: ({ server, tool }) => formatCodeSpan(`${server}.${tool}`, 'table') },
  { title: 'Change', cell: ({ change }) => change },
  {
    title: 'Parts',
    cell: ({ parts }) =>
      parts.length === 0
        ? undefined
        : parts.map((part) => formatCodeSpan(part, 'table')).join(', '),
  },
];

function formatToolCounts(tools: readonly ToolChange[]): string {
  return (['added', 'removed', 'redefined'] as const)
    .map((change) => ({ change, count: tools.filter((tool) => tool.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => `${count} ${change}`)
    .join(', ');
}

function formatOneSidedTasks(tasks: ResultsDiff['added']): string {
  const shown = tasks.slice(0, mostRows);
  const lines = shown.map(
    (each) => `- ${formatCodeSpan(formatTaskName(each))} ${formatSide(each.side)}`,
  );
  return withRest(lines.join('\n'), tasks.length - shown.length, 'task');
}

function table<Row>(columns: readonly MarkdownColumn<Row>[], rows: readonly Row[], word = 'row') {
  if (rows.length === 0) return '';
  const shown = rows.slice(0, mostRows);
  return withRest(formatMarkdownTable(columns, shown), rows.length - shown.length, word);
}

function withRest(text: string, rest: number, word: string): string {
  return rest > 0 ? `${text}\n\nand ${plural(rest, `more ${word}`)}` : text;
}

/** The empty lines make Markdown of what is inside. */
function folded(summary: string, content: string): string {
  if (content === '') return '';
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
