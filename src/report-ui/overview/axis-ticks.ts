import type { Bins } from './bins.js';

interface Tick {
  value: number;
  /** Where on the axis, from 0 to 1. */
  share: number;
}

export type AxisUnit = 'milliseconds' | 'count';

const minute = 60_000;
const hour = 60 * minute;
/** What clocks have between the powers of ten. */
const roundTimes = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000],
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * minute),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((hours) => hours * hour),
];
const roundCounts = Array.from({ length: 19 }, (_, power) =>
  [1, 2, 5].map((times) => times * 10 ** (power - 3)),
).flat();

/** A few round values along an axis, which does not have to begin or end with one. */
export function axisTicks({ edges, scale }: Bins, unit: AxisUnit, most = 5): Tick[] {
  const low = edges[0] ?? 0;
  const high = edges.at(-1) ?? 1;
  const round = unit === 'count' ? roundCounts : roundTimes;
  if (scale === 'linear') {
    return multiples(
      low,
      high,
      round.find((step) => step >= (high - low) / most),
    ).map((value) => ({
      value,
      share: (value - low) / (high - low),
    }));
  }
  const values = round.filter((value) => value >= low && value <= high);
  const every = Math.ceil(values.length / most);
  return values
    .filter((_, place) => (values.length - 1 - place) % every === 0)
    .map((value) => ({ value, share: Math.log(value / low) / Math.log(high / low) }));
}

function multiples(low: number, high: number, step: number | undefined): number[] {
  if (step === undefined) return [low, high];
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor((high - first * step) / step + 1e-9) + 1;
  return Array.from({ length: count }, (_, place) => (first + place) * step);
}
