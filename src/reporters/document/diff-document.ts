import {
  type AmountChange,
  formatMethod,
  formatNotJudged,
  formatPoints,
  formatProbability,
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
  formatInterval,
  formatPassed,
  formatRate,
  formatRateWithInterval,
  formatShortDuration,
} from '../../analysis/figure-text.js';
import { plural, quoteForShell } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import {
  type Block,
  type Document,
  foldSection,
  type Line,
  type List,
  makeAmount,
  makeSection,
  makeTable,
  quote,
  quoteNames,
  right,
  type Span,
  type TableColumn,
  type Tone,
  verdict,
} from './document.js';

/** Whether the comparison ends a command with an error, and by which rule. */
export interface DiffGate {
  failOn: FailOn;
  stopped: boolean;
}

const toneOfHeadline: Record<Headline['tone'], Tone> = {
  better: 'good',
  worse: 'bad',
  mixed: 'warning',
  open: 'open',
  same: 'same',
};

const toneOfVerdict: Record<DiffVerdict, Tone> = {
  regression: 'bad',
  improvement: 'good',
  'judged differently': 'warning',
  'not enough data': 'open',
  'no change': 'same',
};

const mostRows = 60;
/** With more tasks without a change, a terminal shows none of them, as it cannot fold them away. */
const fewRows = 20;
/** Tasks with notes below the table, which are longer than its rows. */
const mostNoted = 20;

/** A comparison of results: the answer, what it rests on, and what to do. */
export function describeDiff(diff: ResultsDiff, gate: DiffGate): Document {
  const changed = diff.tasks.filter(isNoteworthy);
  const same = diff.tasks.filter((task) => !isNoteworthy(task));
  return {
    title: 'Compared with the base',
    answer: verdict(diff.headline.text, toneOfHeadline[diff.headline.tone]),
    notes: diff.caveats,
    blocks: [
      describeTotal(diff),
      makeSection('Tasks', tabulateTasks(changed), listNotes(changed)),
      foldSection(
        `${plural(same.length, 'task')} without a detectable change`,
        tabulateTasks(same, same.length > fewRows ? 0 : fewRows),
      ),
      foldSection(plural(diff.added.length, 'new task'), listSides(diff.added)),
      foldSection(plural(diff.removed.length, 'removed task'), listSides(diff.removed)),
      foldSection(
        'A task run takes, on average',
        makeTable(amountColumns, listAmountChanges(diff.total), { noun: 'amount' }),
      ),
      foldSection(`Tools: ${formatToolCounts(diff.tools)}`, listTools(diff.tools)),
      makeSection('Next', listSteps(diff, gate)),
    ],
  };
}

function describeTotal({ total }: ResultsDiff): Block {
  const { base, current, difference, low, high } = total;
  const interval =
    low === null || high === null
      ? ''
      : ` (${formatPoints(low)} to ${formatPoints(high)}, 95% interval)`;
  const change = difference === null ? 'unknown' : `${formatPoints(difference)} points${interval}`;
  return {
    type: 'facts',
    noun: 'figure',
    rows: [
      { name: 'base', text: formatSide(base) },
      { name: 'current', text: formatSide(current) },
      { name: 'difference', text: `${change}, mean over tasks` },
      {
        name: 'overall',
        text: [verdict(total.verdict, toneOfVerdict[total.verdict]), ` (${formatMethod(total)})`],
      },
    ],
  };
}

function formatSide(side: DiffSide): string {
  const aside = formatNotJudged(side);
  const judged = `${side.passed} of ${plural(side.judged, 'judged task run')} passed`;
  return `${formatRateWithInterval(side)}, ${judged}${aside === '' ? '' : `; left out: ${aside}`}`;
}

const columnsOfSide = (side: 'base' | 'current'): TableColumn<TaskDiff>[] => [
  { title: side, ...right, cell: (task) => formatShortSide(task[side]) },
  { title: '95% interval', ...right, spare: 1, cell: (task) => formatInterval(task[side]) },
];

function formatShortSide(side: DiffSide): string {
  const aside = formatNotJudged(side);
  const rate = side.rate === null ? '' : `, ${formatRate(side)}`;
  return `${formatPassed(side)}${rate}${aside === '' ? '' : ` +${aside}`}`;
}

const taskColumns: readonly TableColumn<TaskDiff>[] = [
  {
    title: 'task',
    isFlexible: true,
    cell: ({ renamedFrom, ...task }) => [
      quote(formatTaskName(task)),
      ...(renamedFrom === null ? [] : [' (was ', quote(renamedFrom), ')']),
    ],
  },
  ...columnsOfSide('base'),
  ...columnsOfSide('current'),
  {
    title: 'points',
    ...right,
    cell: ({ difference }) => (difference === null ? undefined : formatPoints(difference)),
  },
  {
    title: 'p (Holm)',
    ...right,
    spare: 0,
    cell: ({ adjusted }) => (adjusted === null ? undefined : formatProbability(adjusted)),
  },
  { title: 'verdict', cell: formatVerdict },
];

function formatVerdict({ verdict: found, moreRuns }: TaskDiff): Span {
  const isOpen = found === 'not enough data' && moreRuns !== null;
  const more = isOpen ? ` (${plural(moreRuns, 'more run')})` : '';
  return verdict(`${found}${more}`, toneOfVerdict[found]);
}

function tabulateTasks(tasks: readonly TaskDiff[], limit = mostRows) {
  return makeTable(taskColumns, tasks, { noun: 'task', limit, markdownLimit: mostRows });
}

function listNotes(tasks: readonly TaskDiff[]): List {
  const items = tasks
    .slice(0, mostNoted)
    .flatMap((task) =>
      task.notes.map((note) => ({ text: [quote(formatTaskName(task)), ': ', quote(note)] })),
    );
  return { type: 'list', items, noun: 'note' };
}

function listSides(tasks: ResultsDiff['added']): List {
  const items = tasks.map((task) => ({
    text: [quote(formatTaskName(task)), `  ${formatSide(task.side)}`],
  }));
  return { type: 'list', items, noun: 'task', limit: mostRows };
}

const amountColumns: readonly TableColumn<AmountChange>[] = [
  { title: '', cell: ({ what }) => what },
  { title: 'base', ...right, cell: ({ amount, before }) => formatAmount(amount, before) },
  { title: 'current', ...right, cell: ({ amount, now }) => formatAmount(amount, now) },
  { title: 'change', ...right, cell: ({ change }) => change },
];

function formatAmount(amount: AmountChange['amount'], value: number): Line {
  if (amount === 'durationMs') return formatShortDuration(value);
  if (amount === 'cost') return formatDollars(value);
  return amount.endsWith('Tokens') ? makeAmount(value) : value.toFixed(1);
}

const toolTones = { added: 'good', removed: 'bad', redefined: 'warning' } as const;

function formatToolCounts(tools: readonly ToolChange[]): string {
  return Object.keys(toolTones)
    .map((change) => ({ change, count: tools.filter((tool) => tool.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => `${count} ${change}`)
    .join(', ');
}

const mostParts = 30;

function listTools(tools: readonly ToolChange[]): List {
  const items = tools.map(({ server, tool, change, parts }) => ({
    text: [
      { text: change, tone: toolTones[change] },
      '  ',
      quote(`${server}.${tool}`),
      ...(parts.length === 0 ? [] : [': ', ...quoteNames(parts, mostParts)]),
    ],
  }));
  return { type: 'list', items, noun: 'tool', limit: mostRows };
}

function listSteps(diff: ResultsDiff, { failOn, stopped }: DiffGate): List {
  const why = { regression: 'got worse by more than noise', 'any-drop': 'fell', never: '' };
  const files = diff.current.map(({ path }) => quoteForShell(path));
  const items = [
    ...(stopped ? [`--fail-on ${failOn}: a rate ${why[failOn]}, so the exit code is 1`] : []),
    ...(stopped ? [['see why: ', quote(`proctor view ${files.join(' ')} --failed`)]] : []),
    ...listDiffNextSteps(diff),
  ];
  return { type: 'list', items: items.map((text) => ({ text })), noun: 'step' };
}
