import { formatDuration } from './amounts.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Round durations: decimal up to a second, then as clocks count. */
const roundTimes = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000],
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * minute),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((hours) => hours * hour),
];
const roundCounts = Array.from({ length: 19 }, (_, power) =>
  [1, 2, 5].map((times) => times * 10 ** (power - 3)),
).flat();

/** A marked value on the axis of a histogram. */
interface Tick {
  value: number;
  /** Position on the axis, from 0 to 1. */
  share: number;
}

export type AxisUnit = 'milliseconds' | 'count';

/** A few round values along the axis of a histogram, which need not begin or end with one. */
export function findAxisTicks(
  { edges, scale }: { edges: readonly number[]; scale: 'linear' | 'log' },
  unit: AxisUnit,
  most = 5,
): Tick[] {
  const low = edges[0] ?? 0;
  const high = edges.at(-1) ?? 1;
  const round = unit === 'count' ? roundCounts : roundTimes;
  if (scale === 'linear') {
    const step = round.find((value) => value >= (high - low) / most);
    const values = step === undefined ? [low, high] : findMultiples(low, high, step);
    return values.map((value) => ({ value, share: (value - low) / (high - low) }));
  }
  const values = round.filter((value) => value >= low && value <= high);
  const every = Math.ceil(values.length / most);
  return values
    .filter((_, place) => (values.length - 1 - place) % every === 0)
    .map((value) => ({ value, share: Math.log(value / low) / Math.log(high / low) }));
}

/** Steps of the timeline from a second on; below, steps are decimal. */
const longSteps = [1, 2, 5, 10, 15, 30].flatMap((count) => [
  count * second,
  count * minute,
  count * hour,
]);

/** Round times between two, in milliseconds, and at most about so many, along the timeline. */
export function findTimeTicks(from: number, to: number, most: number): number[] {
  const length = to - from;
  if (!(length > 0) || !Number.isFinite(length)) return [from];
  const step = findTimeStep(length / Math.max(most, 1));
  return findMultiples(from, to, step).map(roundBinaryFraction);
}

/** A round time in as few characters as possible: `0`, `250 ms`, `1.5 s`, `2 m`. */
export function formatTimeTick(tick: number): string {
  if (tick === 0) return '0';
  if (tick < second) return `${tick} ms`;
  if (tick < minute) return `${roundBinaryFraction(tick / second)} s`;
  return formatDuration(tick).replace(/ 0 [sm]$/, '');
}

/** All multiples of a step between two values; rounding must not lose one at either end. */
function findMultiples(low: number, high: number, step: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, place) => (first + place) * step);
}

function findTimeStep(least: number): number {
  if (least <= second / 2) return findDecimalStep(least);
  const longEnough = longSteps.filter((step) => step >= least);
  return longEnough.length > 0 ? Math.min(...longEnough) : findDecimalStep(least / hour) * hour;
}

/** 1, 2 or 5 times a power of ten, at least this but for rounding. */
export function findDecimalStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((times) => times * power >= least * 0.999_999) ?? 10) * power;
}

/** `0.30000000000000004` becomes `0.3`. */
function roundBinaryFraction(value: number): number {
  return Number(value.toPrecision(12));
}
