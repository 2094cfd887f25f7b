import { durationText } from '../elements/amounts.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Steps that people count time in, beyond the decimal ones below a second. */
const longSteps = [1, 2, 5, 10, 15, 30].flatMap((count) => [
  count * second,
  count * minute,
  count * hour,
]);

/** Round times between the two, in milliseconds: as many as there is room for. */
export function timeTicks(from: number, to: number, atMost: number): number[] {
  const length = to - from;
  if (!(length > 0) || !Number.isFinite(length)) return [from];
  const step = stepOf(length / Math.max(atMost, 1));
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => rounded((first + index) * step));
}

/** As short as it can be said: `0`, `250 ms`, `1.5 s`, `2 m`. */
export function tickText(tick: number): string {
  if (tick === 0) return '0';
  if (tick < second) return `${tick} ms`;
  if (tick < minute) return `${rounded(tick / second)} s`;
  return durationText(tick).replace(/ 0 [sm]$/, '');
}

function stepOf(least: number): number {
  if (least <= second / 2) return decimalStep(least);
  const known = longSteps.filter((step) => step >= least);
  return known.length > 0 ? Math.min(...known) : decimalStep(least / hour) * hour;
}

function decimalStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Without the dust of binary fractions. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
