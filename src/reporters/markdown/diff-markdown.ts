import { dollars, shortDuration } from '../../analysis/amount-text.js';
import {
  type AmountChange,
  amountChanges,
  leftOut,
  methodText,
  points,
} from '../../analysis/diff/diff-words.js';
import { nextSteps } from '../../analysis/diff/next-steps.js';
import { isNoteworthy } from '../../analysis/diff/noteworthy.js';
import type {
  DiffSide,
  DiffVerdict,
  Headline,
  ResultsDiff,
  TaskDiff,
  ToolChange,
} from '../../analysis/diff/results-diff.js';
import { rateWithInterval } from '../../analysis/rate-text.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { codeSpan } from './code-span.js';
import { countText } from './count-text.js';
import { type MarkdownColumn, markdownTable } from './markdown-table.js';

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
export function diffMarkdown(diff: ResultsDiff, title = 'Compared with the base'): string {
  const { tone, text } = diff.headline;
  const changed = diff.tasks.filter(isNoteworthy);
  const same = diff.tasks.filter((task) => !isNoteworthy(task));
  const sections = [
    `## ${title}: ${toneSigns[tone]} ${text}`,
    diff.caveats.map((caveat) => `> ⚠️ ${codeSpan(caveat)}`).join('\n>\n'),
    totalLines(diff).join('\n'),
    table(taskColumns, changed, 'task'),
    noteLines(changed).join('\n'),
    nextSteps(diff)
      .map((step) => `- ${step}`)
      .join('\n'),
    folded(
      `${plural(same.length, 'task')} without a change that these runs could show`,
      table(taskColumns, same, 'task'),
    ),
    folded(`${plural(diff.added.length, 'new task')}`, sides(diff.added)),
    folded(`${plural(diff.removed.length, 'removed task')}`, sides(diff.removed)),
    folded('What a task run takes, on average', table(amountColumns, amountChanges(diff.total))),
    folded(`Tools: ${toolCounts(diff.tools)}`, table(toolColumns, diff.tools, 'tool')),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function totalLines({ total }: ResultsDiff): string[] {
  const { base, current, difference, low, high, verdict } = total;
  const interval = low === null || high === null ? '' : ` (${points(low)} to ${points(high)})`;
  const change = difference === null ? 'unknown' : `${points(difference)} points${interval}`;
  return [
    `- base ${sideText(base)}`,
    `- current ${sideText(current)}`,
    `- difference ${change}, mean over tasks: **${verdict}** as a whole (${methodText(total)})`,
  ];
}

function sideText(side: DiffSide): string {
  const aside = leftOut(side);
  const text = `${rateWithInterval(side)}, ${side.passed} of ${side.judged}`;
  return aside === '' ? text : `${text}; left out: ${aside}`;
}

function noteLines(tasks: readonly TaskDiff[]): string[] {
  return tasks
    .slice(0, mostNoted)
    .flatMap((task) =>
      task.notes.map((note) => `- ${codeSpan(formatTaskName(task))}: ${codeSpan(note)}`),
    );
}

const taskColumns: readonly MarkdownColumn<TaskDiff>[] = [
  {
    title: 'Task',
    cell: ({ task, variant, renamedFrom }) =>
      renamedFrom === null
        ? codeSpan(formatTaskName({ task, variant }), 'table')
        : `${codeSpan(formatTaskName({ task, variant }), 'table')} (was ${codeSpan(renamedFrom, 'table')})`,
  },
  { title: 'Base (95%)', align: 'right', cell: ({ base }) => sideText(base) },
  { title: 'Current (95%)', align: 'right', cell: ({ current }) => sideText(current) },
  {
    title: 'Points',
    align: 'right',
    cell: ({ difference }) => (difference === null ? undefined : points(difference)),
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
  { title: 'Base', align: 'right', cell: ({ amount, before }) => amountText(amount, before) },
  { title: 'Current', align: 'right', cell: ({ amount, now }) => amountText(amount, now) },
  { title: 'Change', align: 'right', cell: ({ change }) => change },
];

function amountText(amount: AmountChange['amount'], value: number): string {
  if (amount === 'durationMs') return shortDuration(value);
  if (amount === 'cost') return dollars(value);
  return amount.endsWith('Tokens') ? countText(Math.round(value)) : value.toFixed(1);
}

const toolColumns: readonly MarkdownColumn<ToolChange>[] = [
  { title: 'Tool', cell: ({ server, tool }) => codeSpan(`${server}.${tool}`, 'table') },
  { title: 'Change', cell: ({ change }) => change },
  {
    title: 'Parts',
    cell: ({ parts }) =>
      parts.length === 0 ? undefined : parts.map((part) => codeSpan(part, 'table')).join(', '),
  },
];

function toolCounts(tools: readonly ToolChange[]): string {
  return (['added', 'removed', 'redefined'] as const)
    .map((change) => ({ change, count: tools.filter((tool) => tool.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => `${count} ${change}`)
    .join(', ');
}

function sides(tasks: ResultsDiff['added']): string {
  const shown = tasks.slice(0, mostRows);
  const lines = shown.map((each) => `- ${codeSpan(formatTaskName(each))} ${sideText(each.side)}`);
  return withRest(lines.join('\n'), tasks.length - shown.length, 'task');
}

function table<Row>(columns: readonly MarkdownColumn<Row>[], rows: readonly Row[], word = 'row') {
  if (rows.length === 0) return '';
  const shown = rows.slice(0, mostRows);
  return withRest(markdownTable(columns, shown), rows.length - shown.length, word);
}

function withRest(text: string, rest: number, word: string): string {
  return rest > 0 ? `${text}\n\nand ${plural(rest, `more ${word}`)}` : text;
}

/** The empty lines make Markdown of what is inside. */
function folded(summary: string, content: string): string {
  if (content === '') return '';
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
