/** Amounts for people, in the few characters that a line or a table has for them. */
import type { Amounts } from './summary/summary.js';

export function shortDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  return `${minutes} m ${Math.floor((milliseconds % 60_000) / 1000)} s`;
}

/** `2 calls, both failed`, `3 calls, 1 failed, 1 looks like an error`: what went wrong is never hidden. */
export function callsText(calls: number, failed: number, suspected: number): string {
  const parts = [`${calls} ${calls === 1 ? 'call' : 'calls'}`];
  if (failed > 0) parts.push(failedText(calls, failed));
  if (suspected > 0) {
    parts.push(suspected === 1 ? '1 looks like an error' : `${suspected} look like errors`);
  }
  return parts.join(', ');
}

function failedText(calls: number, failed: number): string {
  if (failed < calls) return `${failed} failed`;
  return calls === 1 ? 'failed' : calls === 2 ? 'both failed' : 'all failed';
}

/** `950`, `13.5k`, `1.2M`: of tokens nobody wants to know the last one. */
export function shortNumber(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export function dollars(value: number): string {
  return `$${value.toFixed(value > 0 && value < 0.1 ? 4 : 2)}`;
}

/** The cost of task runs for a cell of a table: `≥ $0.18` if that of some is unknown. */
export function costText({ cost, untold }: Pick<Amounts, 'cost' | 'untold'>): string | undefined {
  if (cost === null) return undefined;
  return untold.cost > 0 ? `≥ ${dollars(cost)}` : dollars(cost);
}
