import {
  assignGroupLetters,
  formatComparisonHeadline,
  formatProbability,
  listComparisonNextSteps,
} from '../../analysis/compare/comparison-text.js';
import type {
  ComparedPair,
  Disagreement,
  PairVerdict,
  RankedVariant,
  VariantComparison,
} from '../../analysis/compare/variant-comparison.js';
import { formatPairVerdict, isDistinguishable } from '../../analysis/compare/variant-pairs.js';
import { formatPoints } from '../../analysis/diff/diff-wording.js';
import {
  formatDollars,
  formatRateWithInterval,
  formatShortDuration,
} from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import {
  formatCodeSpan,
  formatCount,
  formatMarkdownTable,
  type MarkdownColumn,
} from './markdown.js';

/** GitHub refuses a comment over 64 KiB: with names as people give them, this many fit in. */
const mostRows = 60;
const mostVariants = 12;

const verdictSigns: Record<PairVerdict, string> = {
  different: '✅',
  'not enough data': '❔',
  'no difference': '➖',
};

/** A comparison of variants for pull requests: the answer and the ranking, and the rest folded. */
export function formatComparisonMarkdown(comparison: VariantComparison): string {
  const { pairs, disagreements, caveats, tasks } = comparison;
  const surest = pairs.toSorted((a, b) => a.adjusted - b.adjusted);
  const sections = [
    `## Variants compared\n\n${formatCodeSpan(formatComparisonHeadline(comparison))}`,
    caveats.map((caveat) => `> ⚠️ ${formatCodeSpan(caveat)}`).join('\n>\n'),
    table(makeRankingColumns(comparison), comparison.variants),
    `<sub>those that share a letter cannot be told apart; amounts are of a task run, means over ${plural(tasks, 'task')} that all of them judged</sub>`,
    listComparisonNextSteps(comparison)
      .map((step) => `- ${step}`)
      .join('\n'),
    folded(
      `${plural(pairs.length, 'pair')}, the surest difference first`,
      table(pairColumns, surest),
    ),
    folded(
      `${plural(disagreements.length, 'task')} on which they disagree`,
      table(makeTaskColumns(comparison), disagreements),
    ),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const right = { align: 'right' } as const;

function makeRankingColumns(comparison: VariantComparison): MarkdownColumn<RankedVariant>[] {
  const letters = assignGroupLetters(comparison);
  return [
    { title: '#', ...right, cell: ({ rank }) => String(rank) },
    { title: 'Variant', cell: ({ name }) => formatCodeSpan(name, 'table') },
    { title: 'Like', cell: ({ name }) => letters.get(name) },
    { title: 'Passed', ...right, cell: ({ passed, judged }) => `${passed} of ${judged}` },
    { title: 'Pass rate (95%)', ...right, cell: formatRateWithInterval },
    {
      title: 'Not judged',
      ...right,
      cell: ({ errors, cancelled }) =>
        errors + cancelled > 0 ? formatCount(errors + cancelled) : undefined,
    },
    {
      title: 'Time',
      ...right,
      cell: ({ amounts: { durationMs } }) =>
        durationMs === null ? undefined : formatShortDuration(durationMs),
    },
    {
      title: 'Calls',
      ...right,
      cell: ({ amounts: { calls } }) => (calls === null ? undefined : calls.toFixed(1)),
    },
    {
      title: 'Tokens in',
      ...right,
      cell: ({ amounts: { inputTokens } }) =>
        inputTokens === null ? undefined : formatCount(Math.round(inputTokens)),
    },
    {
      title: 'Out',
      ...right,
      cell: ({ amounts: { outputTokens } }) =>
        outputTokens === null ? undefined : formatCount(Math.round(outputTokens)),
    },
    {
      title: 'Cost',
      ...right,
      cell: ({ amounts: { cost } }) => (cost === null ? undefined : formatDollars(cost)),
    },
  ];
}

const pairColumns: readonly MarkdownColumn<ComparedPair>[] = [
  { title: 'Variant', cell: ({ first }) => formatCodeSpan(first, 'table') },
  { title: 'Against', cell: ({ second }) => formatCodeSpan(second, 'table') },
  {
    title: 'Points (95%)',
    ...right,
    cell: ({ difference, low, high }) =>
      `${formatPoints(difference)} (${formatPoints(low)} to ${formatPoints(high)})`,
  },
  { title: 'p (Holm)', ...right, cell: ({ adjusted }) => formatProbability(adjusted) },
  { title: 'Verdict', cell: formatVerdict },
];

function formatVerdict(pair: ComparedPair): string {
  const sign = verdictSigns[isDistinguishable(pair) ? 'different' : pair.verdict];
  return `${sign} ${formatPairVerdict(pair)}`;
}

function makeTaskColumns({ variants }: VariantComparison): MarkdownColumn<Disagreement>[] {
  return [
    { title: 'Task', cell: ({ task }) => formatCodeSpan(task, 'table') },
    { title: 'Spread', ...right, cell: ({ spread }) => (spread * 100).toFixed(1) },
    ...variants.slice(0, mostVariants).map(({ name }, place) => ({
      title: formatCodeSpan(name, 'table'),
      ...right,
      cell: ({ rates }: Disagreement) => {
        const rate = rates[place];
        return rate && `${rate.passed}/${rate.judged}`;
      },
    })),
  ];
}

function table<Row>(columns: readonly MarkdownColumn<Row>[], rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const shown = formatMarkdownTable(columns, rows.slice(0, mostRows));
  const rest = rows.length - mostRows;
  return rest > 0 ? `${shown}\n\nand ${plural(rest, 'more row')}` : shown;
}

/** The empty lines make Markdown of what is inside. */
function folded(summary: string, content: string): string {
  if (content === '') return '';
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
