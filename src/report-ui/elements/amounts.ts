import { formatPercent as formatShare } from '../../analysis/figure-text.js';

/** Shown in place of an amount that is not known. */
export const unknownAmount = '–';

/** Formats a duration: `850 ms`, `12.5 s`, `3 m 20 s`, `2 h 5 m`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return unknownAmount;
  if (milliseconds < 1) return milliseconds <= 0 ? '0 ms' : '< 1 ms';
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9_995) return `${(milliseconds / 1000).toFixed(2)} s`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return formatTwoUnits(Math.floor(seconds / 60), 'm', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return formatTwoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'm');
}

function formatTwoUnits(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

const minute = 60_000;

/** Formats a time exactly, as `1,204.5 ms`; from a minute on rounded, as `59 m 48 s`. */
export function formatExactTime(milliseconds: number): string {
  if (milliseconds >= minute) return formatDuration(milliseconds);
  return `${milliseconds.toLocaleString('en-US', { maximumFractionDigits: 1 })} ms`;
}

/** Formats a count such as tokens in few characters: `950`, `13.5k`, `1.2M`. */
export function formatShortCount(value: number | null): string {
  if (value === null) return unknownAmount;
  if (value < 1000) return String(Math.round(value));
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k`;
  if (value < 999_950_000) return `${(value / 1_000_000).toFixed(1)}M`;
  return `${(value / 1_000_000_000).toFixed(1)}G`;
}

/** Formats a count with all digits: `12,345`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

export function formatCost(dollars: number | null): string {
  if (dollars === null) return unknownAmount;
  return `$${dollars.toFixed(dollars > 0 && dollars < 1 ? 4 : 2)}`;
}

/** Formats a share as Proctor does everywhere: only all and nothing are shown as 100% and 0%. */
export function formatPercent(share: number | null): string {
  return share === null ? unknownAmount : formatShare(share);
}

/** Formats a count with its noun: `1 task run`, `1,200 task runs`. */
export function formatPlural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Formats a date as `16 Nov 2026, 09:13`, in the reader's time zone. */
export function formatMoment(iso: string | null): string {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(time)) return unknownAmount;
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
