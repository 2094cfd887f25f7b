import type { OutcomeCounts } from '../../analysis/pass-rates.js';
import { type Bins, binOf, binsFor } from './bins.js';
import type { Searchable } from './searchable.js';
import { outcomesOf } from './totals.js';

export interface Bar {
  counts: OutcomeCounts;
  total: number;
}

/** How an amount spreads over task runs, by outcome. */
export interface HistogramBars {
  /** Undefined: no task run tells. */
  bins: Bins | undefined;
  bars: Bar[];
  /** Task runs that tell, and all. */
  known: number;
  of: number;
}

/** `amountOf`: null where it is not known. */
export function histogramBars(
  searchable: Searchable,
  rows: readonly number[],
  amountOf: (row: number) => number | null,
): HistogramBars {
  const pairs = rows.flatMap((row) => {
    const value = amountOf(row);
    return value === null ? [] : [{ row, value }];
  });
  const bins = binsFor(pairs.map(({ value }) => value));
  if (!bins) return { bins, bars: [], known: 0, of: rows.length };
  const inBins = Array.from({ length: bins.edges.length - 1 }, (): number[] => []);
  for (const { row, value } of pairs) inBins[binOf(bins, value)]?.push(row);
  const bars = inBins.map((own) => ({
    counts: outcomesOf(searchable, own),
    total: own.length,
  }));
  return { bins, bars, known: pairs.length, of: rows.length };
}
