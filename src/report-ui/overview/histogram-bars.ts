import type { OutcomeCounts } from '../../analysis/pass-rates.js';
import { findDecimalStep } from '../elements/axis-ticks.js';
import type { Searchable } from './searchable.js';
import { countRowOutcomes } from './totals.js';

export interface Bar {
  counts: OutcomeCounts;
  total: number;
}

/** How an amount spreads over task runs, by outcome. */
export interface HistogramBars {
  /** Undefined: no task run reports the amount. */
  bins: Bins | undefined;
  bars: Bar[];
  /** How many task runs report the amount; `total`: of how many. */
  known: number;
  total: number;
}

/** Makes bars of the amounts of task runs; `readAmount` returns null where it is not known. */
export function makeHistogramBars(
  searchable: Searchable,
  rows: readonly number[],
  readAmount: (row: number) => number | null,
): HistogramBars {
  const pairs = rows.flatMap((row) => {
    const value = readAmount(row);
    return value === null ? [] : [{ row, value }];
  });
  const bins = makeBins(pairs.map(({ value }) => value));
  if (!bins) return { bins, bars: [], known: 0, total: rows.length };
  const inBins = Array.from({ length: bins.edges.length - 1 }, (): number[] => []);
  for (const { row, value } of pairs) inBins[findBin(bins, value)]?.push(row);
  const bars = inBins.map((binned) => ({
    counts: countRowOutcomes(searchable, binned),
    total: binned.length,
  }));
  return { bins, bars, known: pairs.length, total: rows.length };
}

/** Edges of the bins of a histogram: bin n is from edge n up to edge n + 1. */
export interface Bins {
  edges: number[];
  /** `log`: each edge is the same multiple of the one before. */
  scale: 'linear' | 'log';
}

const mostBins = 28;
const fewestBins = 8;
/** From this ratio of maximum to median on, bins are logarithmic: even ones would show one bar. */
const skewed = 8;
/** Smallest width of a bin, in milliseconds or tokens. */
const smallest = 1e-3;

/** Makes bins for values of 0 or more; undefined: there are no values. */
export function makeBins(values: readonly number[]): Bins | undefined {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  const [low] = sorted;
  const high = sorted.at(-1);
  if (low === undefined || high === undefined) return undefined;
  const most = Math.min(Math.max(Math.ceil(2 * Math.sqrt(sorted.length)), fewestBins), mostBins);
  const median = sorted[sorted.length >> 1] ?? high;
  return median > smallest && high / median > skewed
    ? makeLogBins(Math.max(low, median / 1000), high, most)
    : makeLinearBins(low, high, most);
}

/** The bin that a value is in; values beyond the ends are in the first or last one. */
export function findBin({ edges, scale }: Bins, value: number): number {
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

function makeLinearBins(low: number, high: number, most: number): Bins {
  const span = high - low || high || 1;
  // Wide enough that adding it still changes a number of this size.
  const width = Math.max(findDecimalStep(span / most), smallest, high * 1e-9);
  const start = Math.floor(low / width) * width;
  const count = Math.max(Math.floor((high - start) / width + 1e-9) + 1, 1);
  return {
    edges: Array.from({ length: count + 1 }, (_, place) => start + place * width),
    scale: 'linear',
  };
}

function makeLogBins(low: number, high: number, count: number): Bins {
  const factor = ((high * 1.001) / low) ** (1 / count);
  return {
    edges: Array.from({ length: count + 1 }, (_, place) => low * factor ** place),
    scale: 'log',
  };
}
