import {
  assignGroupLetters,
  formatComparisonHeadline,
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
import { formatPoints, formatProbability } from '../../analysis/diff/diff-wording.js';
import {
  formatDollars,
  formatInterval,
  formatPassed,
  formatRate,
  formatShortDuration,
} from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import {
  type Document,
  foldSection,
  makeAmount,
  makeSection,
  makeTable,
  quote,
  right,
  type TableColumn,
  type Tone,
  verdict,
} from './document.js';

const mostRows = 60;
/** Columns that a task has room for. */
const mostVariants = 12;

const verdictTones: Record<PairVerdict, Tone> = {
  different: 'good',
  'not enough data': 'open',
  'no difference': 'same',
};

/** A comparison of variants: the answer, the ranking, then what it rests on. */
export function describeComparison(comparison: VariantComparison): Document {
  const { pairs, variants, disagreements, caveats, tasks } = comparison;
  const surest = pairs.toSorted((a, b) => a.adjusted - b.adjusted);
  const steps = listComparisonNextSteps(comparison).map((text) => ({ text }));
  const note = `amounts are means of a task run, over ${plural(tasks, 'task')} that all of them judged`;
  return {
    title: 'Variants compared',
    answer: quote(formatComparisonHeadline(comparison)),
    notes: caveats,
    blocks: [
      makeTable(makeRankingColumns(comparison), variants, { noun: 'variant', note }),
      foldSection(
        `Differences: ${plural(pairs.length, 'pair')}, the surest first`,
        makeTable(pairColumns, surest, { noun: 'pair', limit: mostRows }),
      ),
      foldSection(
        `${plural(disagreements.length, 'task')} on which they disagree`,
        makeTable(makeTaskColumns(comparison), disagreements, {
          noun: 'task',
          limit: mostRows,
          ...(variants.length > mostVariants && {
            note: `${plural(variants.length - mostVariants, 'more variant')} left out: -o json has them all`,
          }),
        }),
      ),
      makeSection('Next', { type: 'list', items: steps, noun: 'step' }),
    ],
  };
}

function makeRankingColumns(comparison: VariantComparison): TableColumn<RankedVariant>[] {
  const letters = assignGroupLetters(comparison);
  return [
    { title: '#', ...right, cell: ({ rank }) => String(rank) },
    { title: 'variant', isFlexible: true, cell: ({ name }) => quote(name) },
    {
      title: 'like',
      note: 'like: no difference was found between variants that share a letter',
      cell: ({ name }) => letters.get(name),
    },
    { title: 'passed', ...right, cell: formatPassed },
    { title: 'rate', ...right, cell: formatRate },
    { title: '95% interval', ...right, spare: 2, cell: formatInterval },
    {
      title: 'not judged',
      ...right,
      cell: ({ errors, cancelled }) =>
        errors + cancelled > 0 ? String(errors + cancelled) : undefined,
    },
    ...amountColumns,
  ];
}

const amountColumns: readonly TableColumn<RankedVariant>[] = [
  makeAmountColumn('time', 'durationMs', formatShortDuration),
  { ...makeAmountColumn('calls', 'calls', (calls) => calls.toFixed(1)), spare: 3 },
  { ...makeAmountColumn('tokens in', 'inputTokens', makeAmount), spare: 0 },
  { ...makeAmountColumn('out', 'outputTokens', makeAmount), spare: 1 },
  makeAmountColumn('cost', 'cost', formatDollars),
];

function makeAmountColumn(
  title: string,
  key: keyof RankedVariant['amounts'],
  format: (value: number) => ReturnType<TableColumn<RankedVariant>['cell']>,
): TableColumn<RankedVariant> {
  return {
    title,
    ...right,
    cell({ amounts }) {
      const value = amounts[key];
      return value === null ? undefined : format(value);
    },
  };
}

const pairColumns: readonly TableColumn<ComparedPair>[] = [
  { title: 'variant', isFlexible: true, cell: ({ first }) => quote(first) },
  { title: 'against', cell: ({ second }) => quote(second) },
  { title: 'points', ...right, cell: ({ difference }) => formatPoints(difference) },
  {
    title: '95% interval',
    ...right,
    spare: 1,
    cell: ({ low, high }) => `${formatPoints(low)} to ${formatPoints(high)}`,
  },
  { title: 'p (Holm)', ...right, spare: 0, cell: ({ adjusted }) => formatProbability(adjusted) },
  {
    title: 'verdict',
    cell: (pair) =>
      verdict(
        formatPairVerdict(pair),
        isDistinguishable(pair) ? 'good' : verdictTones[pair.verdict],
      ),
  },
];

function makeTaskColumns({ variants }: VariantComparison): TableColumn<Disagreement>[] {
  return [
    { title: 'task', isFlexible: true, cell: ({ task }) => quote(task) },
    { title: 'spread', ...right, cell: ({ spread }) => (spread * 100).toFixed(1) },
    ...variants.slice(0, mostVariants).map(({ name }, place) => ({
      title: quote(name),
      ...right,
      cell: ({ rates }: Disagreement) => {
        const rate = rates[place];
        return rate && `${rate.passed}/${rate.judged}`;
      },
    })),
  ];
}
