import { dollars, shortDuration } from '../../analysis/amount-text.js';
import {
  comparisonHeadline,
  comparisonNextSteps,
  groupLetters,
  probability,
} from '../../analysis/compare/comparison-words.js';
import { isToldApart, pairVerdictText } from '../../analysis/compare/told-apart.js';
import type {
  ComparedPair,
  Disagreement,
  PairVerdict,
  RankedVariant,
  VariantComparison,
} from '../../analysis/compare/variant-comparison.js';
import { points } from '../../analysis/diff/diff-words.js';
import { rateWithInterval } from '../../analysis/rate-text.js';
import { plural } from '../../base/text.js';
import { codeSpan } from './code-span.js';
import { countText } from './count-text.js';
import { type MarkdownColumn, markdownTable } from './markdown-table.js';

/** GitHub refuses a comment over 64 KiB: with names as people give them, this many fit in. */
const mostRows = 60;
const mostVariants = 12;

const verdictSigns: Record<PairVerdict, string> = {
  different: '✅',
  'not enough data': '❔',
  'no difference': '➖',
};

/** A comparison of variants for pull requests: the answer and the ranking, and the rest folded. */
export function compareMarkdown(comparison: VariantComparison): string {
  const { pairs, disagreements, caveats, tasks } = comparison;
  const surest = pairs.toSorted((a, b) => a.adjusted - b.adjusted);
  const sections = [
    `## Variants compared\n\n${codeSpan(comparisonHeadline(comparison))}`,
    caveats.map((caveat) => `> ⚠️ ${codeSpan(caveat)}`).join('\n>\n'),
    table(rankingColumns(comparison), comparison.variants),
    `<sub>those that share a letter cannot be told apart; amounts are of a task run, means over ${plural(tasks, 'task')} that all of them judged</sub>`,
    comparisonNextSteps(comparison)
      .map((step) => `- ${step}`)
      .join('\n'),
    folded(
      `${plural(pairs.length, 'pair')}, the surest difference first`,
      table(pairColumns, surest),
    ),
    folded(
      `${plural(disagreements.length, 'task')} on which they disagree`,
      table(taskColumns(comparison), disagreements),
    ),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

const right = { align: 'right' } as const;

function rankingColumns(comparison: VariantComparison): MarkdownColumn<RankedVariant>[] {
  const letters = groupLetters(comparison);
  return [
    { title: '#', ...right, cell: ({ rank }) => String(rank) },
    { title: 'Variant', cell: ({ name }) => codeSpan(name, 'table') },
    { title: 'Like', cell: ({ name }) => letters.get(name) },
    { title: 'Passed', ...right, cell: ({ passed, judged }) => `${passed} of ${judged}` },
    { title: 'Pass rate (95%)', ...right, cell: rateWithInterval },
    {
      title: 'Not judged',
      ...right,
      cell: ({ errors, cancelled }) =>
        errors + cancelled > 0 ? countText(errors + cancelled) : undefined,
    },
    {
      title: 'Time',
      ...right,
      cell: ({ amounts: { durationMs } }) =>
        durationMs === null ? undefined : shortDuration(durationMs),
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
        inputTokens === null ? undefined : countText(Math.round(inputTokens)),
    },
    {
      title: 'Out',
      ...right,
      cell: ({ amounts: { outputTokens } }) =>
        outputTokens === null ? undefined : countText(Math.round(outputTokens)),
    },
    {
      title: 'Cost',
      ...right,
      cell: ({ amounts: { cost } }) => (cost === null ? undefined : dollars(cost)),
    },
  ];
}

const pairColumns: readonly MarkdownColumn<ComparedPair>[] = [
  { title: 'Variant', cell: ({ first }) => codeSpan(first, 'table') },
  { title: 'Against', cell: ({ second }) => codeSpan(second, 'table') },
  {
    title: 'Points (95%)',
    ...right,
    cell: ({ difference, low, high }) =>
      `${points(difference)} (${points(low)} to ${points(high)})`,
  },
  { title: 'p (Holm)', ...right, cell: ({ adjusted }) => probability(adjusted) },
  { title: 'Verdict', cell: verdictCell },
];

function verdictCell(pair: ComparedPair): string {
  const sign = verdictSigns[isToldApart(pair) ? 'different' : pair.verdict];
  return `${sign} ${pairVerdictText(pair)}`;
}

function taskColumns({ variants }: VariantComparison): MarkdownColumn<Disagreement>[] {
  return [
    { title: 'Task', cell: ({ task }) => codeSpan(task, 'table') },
    { title: 'Spread', ...right, cell: ({ spread }) => (spread * 100).toFixed(1) },
    ...variants.slice(0, mostVariants).map(({ name }, place) => ({
      title: codeSpan(name, 'table'),
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
  const shown = markdownTable(columns, rows.slice(0, mostRows));
  const rest = rows.length - mostRows;
  return rest > 0 ? `${shown}\n\nand ${plural(rest, 'more row')}` : shown;
}

/** The empty lines make Markdown of what is inside. */
function folded(summary: string, content: string): string {
  if (content === '') return '';
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
