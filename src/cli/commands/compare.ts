import { compareVariants } from '../../analysis/compare/compare-variants.js';
import {
  assignGroupLetters,
  formatComparisonHeadline,
  formatProbability,
  listComparisonNextSteps,
} from '../../analysis/compare/comparison-text.js';
import type {
  ComparedPair,
  PairVerdict,
  RankedVariant,
  VariantComparison,
} from '../../analysis/compare/variant-comparison.js';
import { formatPairVerdict, isDistinguishable } from '../../analysis/compare/variant-pairs.js';
import { NotComparableError } from '../../analysis/diff/comparability.js';
import { formatPoints } from '../../analysis/diff/diff-wording.js';
import {
  formatDollars,
  formatInterval,
  formatPassed,
  formatRate,
  formatShortDuration,
  formatShortNumber,
} from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import { formatComparisonMarkdown } from '../../reporters/markdown/compare-markdown.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { type LeftOutOfFile, listLeftOut } from '../../results/results-file.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import {
  openSample,
  parseTaskPattern,
  parseVariantPattern,
  showLeftOut,
} from '../result/chosen-results.js';
import { jsonText, type Style, styleFor } from '../terminal/output.js';
import { type Cell, type Column, tableLines } from '../terminal/table.js';
import { printText, terminalColumns, terminalLine } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const { comparison, leftOut } = await compare(call);
  showLeftOut(leftOut, io);
  if (options.output === 'json') io.stdout.write(jsonText({ ...comparison, leftOut }));
  else if (options.output === 'markdown') io.stdout.write(formatComparisonMarkdown(comparison));
  else {
    const width = terminalColumns(io.stdout);
    const look = { style: styleFor(io.stdout, io.environment), width };
    printText(io.stdout, renderCompare(comparison, look));
  }
  return exitCodes.ok;
}

async function compare({
  arguments: paths,
  options,
  io,
}: CommandRun): Promise<{ comparison: VariantComparison; leftOut: LeftOutOfFile[] }> {
  const tasks = parseTaskPattern(options);
  const variants = parseVariantPattern(options);
  try {
    const sample = await openSample(io, paths);
    const comparison = await compareVariants(sample, {
      isWanted: (task) => tasks?.test(task) !== false,
      isWantedVariant: (name) => variants?.test(name) !== false,
    });
    return { comparison, leftOut: listLeftOut(sample.files) };
  } catch (error) {
    if (error instanceof NotComparableError) throw new UsageError(error.message, error.hint);
    const { path } = error as NodeJS.ErrnoException;
    throw explainUnreadableResults(path ?? paths.join(', '), error);
  }
}

interface Look {
  style: Style;
  /** Columns of the terminal, if it is one. */
  width: number | undefined;
}

/** More lines are not printed as text; `-o json` has them all. */
const mostPairs = 30;
const mostTasks = 20;
/** Columns that a task has room for. */
const mostVariants = 8;

/** A comparison of variants for people: the answer, the ranking, then what it rests on. */
function renderCompare(comparison: VariantComparison, look: Look): string {
  const { style } = look;
  const sections = [
    [style('bold', terminalLine(formatComparisonHeadline(comparison)))],
    comparison.caveats.map((caveat) => style('yellow', `note: ${terminalLine(caveat)}`)),
    renderRanking(comparison, look),
    renderSection('Differences', renderPairs(comparison, look), style),
    renderSection('Tasks on which they disagree', renderTasks(comparison, look), style),
    renderSection(
      'Next',
      listComparisonNextSteps(comparison).map((step) => `  ${step}`),
      style,
    ),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function renderSection(title: string, lines: string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style('bold', title), ...lines];
}

interface VariantColumn extends Column {
  cell(variant: RankedVariant): string;
  /** Left out if no variant has anything to say there. */
  isKnown?(variant: RankedVariant): boolean;
}

const right = { align: 'right' } as const;

const amountColumns: readonly VariantColumn[] = [
  {
    title: 'not judged',
    ...right,
    cell: (variant) => String(countUnjudged(variant) || '-'),
    isKnown: (variant) => countUnjudged(variant) > 0,
  },
  {
    title: 'time',
    ...right,
    cell: ({ amounts: { durationMs } }) =>
      durationMs === null ? '-' : formatShortDuration(durationMs),
    isKnown: ({ amounts }) => amounts.durationMs !== null,
  },
  {
    title: 'calls',
    ...right,
    cell: ({ amounts: { calls } }) => (calls === null ? '-' : calls.toFixed(1)),
    isKnown: ({ amounts }) => amounts.calls !== null,
  },
  {
    title: 'tokens in',
    ...right,
    cell: ({ amounts: { inputTokens } }) =>
      inputTokens === null ? '-' : formatShortNumber(inputTokens),
    isKnown: ({ amounts }) => amounts.inputTokens !== null,
  },
  {
    title: 'out',
    ...right,
    cell: ({ amounts: { outputTokens } }) =>
      outputTokens === null ? '-' : formatShortNumber(outputTokens),
    isKnown: ({ amounts }) => amounts.outputTokens !== null,
  },
  {
    title: 'cost',
    ...right,
    cell: ({ amounts: { cost } }) => (cost === null ? '-' : formatDollars(cost)),
    isKnown: ({ amounts }) => amounts.cost !== null,
  },
];

function renderRanking(comparison: VariantComparison, look: Look): string[] {
  const { variants, tasks } = comparison;
  const letters = assignGroupLetters(comparison);
  const columns: readonly VariantColumn[] = [
    { title: '#', ...right, cell: ({ rank }) => String(rank) },
    { title: 'variant', flexible: true, cell: ({ name }) => name },
    { title: 'like', cell: ({ name }) => letters.get(name) ?? '' },
    { title: 'passed', ...right, cell: (variant) => formatPassed(variant) },
    { title: 'rate', ...right, cell: (variant) => formatRate(variant) },
    { title: '95% interval', ...right, cell: (variant) => formatInterval(variant) },
    ...amountColumns.filter(({ isKnown }) => !isKnown || variants.some(isKnown)),
  ];
  const rows = variants.map((variant) => columns.map(({ cell }) => cell(variant)));
  const over = `over ${plural(tasks, 'task')} that all of them judged`;
  return [
    ...tableLines(columns, rows, look),
    look.style('dim', `those that share a letter cannot be told apart; amounts are of a task run,`),
    look.style('dim', `means ${over}`),
  ];
}

const verdictFormats: Record<PairVerdict, Parameters<Style>[0]> = {
  different: 'green',
  'not enough data': 'yellow',
  'no difference': 'dim',
};

const pairColumns: readonly Column[] = [
  { title: 'variant', flexible: true },
  { title: 'against' },
  { title: 'points', align: 'right' },
  { title: '95% interval', align: 'right' },
  { title: 'p (Holm)', align: 'right' },
  { title: 'verdict' },
];

/** The surest first. */
function renderPairs({ pairs }: VariantComparison, look: Look): string[] {
  const shown = pairs.toSorted((a, b) => a.adjusted - b.adjusted).slice(0, mostPairs);
  const rows = shown.map((pair: ComparedPair): Cell[] => [
    pair.first,
    pair.second,
    formatPoints(pair.difference),
    `${formatPoints(pair.low)} to ${formatPoints(pair.high)}`,
    formatProbability(pair.adjusted),
    {
      text: formatPairVerdict(pair),
      format: isDistinguishable(pair) ? 'green' : verdictFormats[pair.verdict],
    },
  ]);
  return [
    ...tableLines(pairColumns, rows, { ...look, indent: '  ' }),
    ...describeRest(pairs, shown),
  ];
}

function renderTasks({ disagreements, variants }: VariantComparison, look: Look): string[] {
  if (disagreements.length === 0) return [];
  const shown = disagreements.slice(0, mostTasks);
  const names = variants.slice(0, mostVariants).map(({ name }) => name);
  const columns: Column[] = [
    { title: 'task', flexible: true },
    { title: 'spread', align: 'right' },
    ...names.map((title): Column => ({ title, align: 'right' })),
  ];
  const rows = shown.map(({ task, spread, rates }): Cell[] => [
    task,
    `${(spread * 100).toFixed(1)}`,
    ...rates.slice(0, mostVariants).map(({ passed, judged }) => `${passed}/${judged}`),
  ]);
  const more = variants.length - names.length;
  return [
    ...tableLines(columns, rows, { ...look, indent: '  ' }),
    ...(more > 0 ? [`  and ${plural(more, 'more variant')}: -o json has them all`] : []),
    ...describeRest(disagreements, shown),
  ];
}

function describeRest(all: readonly unknown[], shown: readonly unknown[]): string[] {
  const rest = all.length - shown.length;
  return rest > 0 ? [`  and ${rest} more: -o json has them all`] : [];
}

function countUnjudged({ errors, cancelled }: RankedVariant): number {
  return errors + cancelled;
}
