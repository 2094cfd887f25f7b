import type { OutcomeCounts } from '../../analysis/pass-rates.js';
import { findDecimalStep } from '../elements/axis-ticks.js';
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

/** Edges of the bins of a histogram: bin n is from edge n up to edge n + 1. */
export interface Bins {
  edges: number[];
  /** `log`: each edge is the same multiple of the one before. */
  scale: 'linear' | 'log';
}

const mostBins = 28;
const fewestBins = 8;
/** Where the largest is so many times the median, even bins would show one bar. */
const skewed = 8;
/** Of milliseconds and tokens, less than this is nothing. */
const smallest = 1e-3;

/** Bins for these values, which are 0 or more. Undefined: there are none. */
export function binsFor(values: readonly number[]): Bins | undefined {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  const [low] = sorted;
  const high = sorted.at(-1);
  if (low === undefined || high === undefined) return undefined;
  const most = Math.min(Math.max(Math.ceil(2 * Math.sqrt(sorted.length)), fewestBins), mostBins);
  const median = sorted[sorted.length >> 1] ?? high;
  return median > smallest && high / median > skewed
    ? logBins(Math.max(low, median / 1000), high, most)
    : linearBins(low, high, most);
}

/** Which bin a value is in; what is beyond the ends is in the last one there. */
export function binOf({ edges, scale }: Bins, value: number): number {
  const first = edges[0] ?? 0;
  const last = edges.at(-1) ?? 1;
  const count = edges.length - 1;
  const share =
    scale === 'log'
      ? Math.log(Math.max(value, first) / first) / Math.log(last / first)
      : (value - first) / (last - first);
  // A value on an edge belongs to the bin that begins there, whatever rounding says.
  return Math.min(Math.max(Math.floor(share * count + 1e-9), 0), count - 1);
}

function linearBins(low: number, high: number, most: number): Bins {
  const span = high - low || high || 1;
  // Steps that a number can still make, whatever the values are.
  const width = Math.max(findDecimalStep(span / most), smallest, high * 1e-9);
  const start = Math.floor(low / width) * width;
  const count = Math.max(Math.floor((high - start) / width + 1e-9) + 1, 1);
  return {
    edges: Array.from({ length: count + 1 }, (_, place) => start + place * width),
    scale: 'linear',
  };
}

function logBins(low: number, high: number, count: number): Bins {
  const factor = ((high * 1.001) / low) ** (1 / count);
  return {
    edges: Array.from({ length: count + 1 }, (_, place) => low * factor ** place),
    scale: 'log',
  };
}
