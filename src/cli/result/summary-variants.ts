import {
  formatCost,
  formatInterval,
  formatPassed,
  formatRate,
  formatShortDuration,
  formatShortNumber,
} from '../../analysis/figure-text.js';
import type { Summary, VariantSummary } from '../../analysis/summary/summary.js';
import { callsCell } from './summary-tasks.js';
import { type Column, type TableOptions, tableLines } from './table.js';

interface VariantColumn extends Column {
  cell(variant: VariantSummary): string;
  /** Left out if no variant has anything to say there. */
  isKnown?(variant: VariantSummary): boolean;
}

const right = { align: 'right' } as const;

const columns: readonly VariantColumn[] = [
  { title: 'passed', ...right, cell: ({ rate }) => formatPassed(rate) },
  { title: 'rate', ...right, cell: ({ rate }) => formatRate(rate) },
  { title: '95% interval', ...right, cell: ({ rate }) => formatInterval(rate) },
  {
    title: 'not judged',
    ...right,
    cell: (variant) => String(notJudged(variant) || '-'),
    isKnown: (variant) => notJudged(variant) > 0,
  },
  {
    title: 'p50',
    ...right,
    cell: ({ amounts: { durationMs } }) => (durationMs ? formatShortDuration(durationMs.p50) : '-'),
    isKnown: ({ amounts }) => amounts.durationMs !== null,
  },
  { title: 'calls', ...right, cell: ({ amounts }) => callsCell(amounts) },
  {
    title: 'tokens',
    ...right,
    cell: ({ amounts: { usage } }) =>
      usage ? formatShortNumber(usage.inputTokens + usage.outputTokens) : '-',
    isKnown: ({ amounts }) => amounts.usage !== null,
  },
  {
    title: 'cost',
    ...right,
    cell: ({ amounts }) => formatCost(amounts) ?? '-',
    isKnown: ({ amounts }) => amounts.cost !== null,
  },
];

/** What each variant of a matrix comes to. */
export function variantLines({ byVariant }: Summary, look: TableOptions): string[] {
  const variants = Object.entries(byVariant);
  if (variants.length === 0) return [];
  const shown = columns.filter(
    ({ isKnown }) => !isKnown || variants.some(([, variant]) => isKnown(variant)),
  );
  const rows = variants.map(([name, variant]) => [name, ...shown.map(({ cell }) => cell(variant))]);
  return tableLines([{ title: '', flexible: true }, ...shown], rows, { ...look, indent: '  ' });
}

function notJudged({ outcomes }: VariantSummary): number {
  return outcomes.error + outcomes.cancelled;
}
