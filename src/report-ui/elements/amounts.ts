import { formatPercent } from '../../analysis/figure-text.js';

/** What stands for an amount that nobody told. */
export const unknownAmount = '–';

/** `850 ms`, `12.5 s`, `3 m 20 s`, `2 h 5 m`. */
export function durationText(milliseconds: number | null): string {
  if (milliseconds === null) return unknownAmount;
  if (milliseconds < 1) return milliseconds <= 0 ? '0 ms' : '< 1 ms';
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9_995) return `${(milliseconds / 1000).toFixed(2)} s`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return twoUnits(Math.floor(seconds / 60), 'm', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return twoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'm');
}

function twoUnits(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

/** `950`, `13.5k`, `1.2M`: of tokens nobody wants to know the last one. */
export function shortCount(value: number | null): string {
  if (value === null) return unknownAmount;
  if (value < 1000) return String(Math.round(value));
  if (value < 999_950) return `${(value / 1000).toFixed(1)}k`;
  if (value < 999_950_000) return `${(value / 1_000_000).toFixed(1)}M`;
  return `${(value / 1_000_000_000).toFixed(1)}G`;
}

/** `12,345`. */
export function exactCount(value: number): string {
  return value.toLocaleString('en-US');
}

export function costText(dollars: number | null): string {
  if (dollars === null) return unknownAmount;
  return `$${dollars.toFixed(dollars > 0 && dollars < 1 ? 4 : 2)}`;
}

/** As everywhere else: only what is all or nothing looks like it. */
export function percentText(share: number | null): string {
  return share === null ? unknownAmount : formatPercent(share);
}

/** `1 task run`, `1,200 task runs`. */
export function counted(count: number, word: string): string {
  return `${exactCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** `16 Nov 2026, 09:13`, in the reader's own time. */
export function momentText(iso: string | null): string {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(time)) return unknownAmount;
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
