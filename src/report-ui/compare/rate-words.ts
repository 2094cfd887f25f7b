import type { DiffSide } from '../../analysis/diff/results-diff.js';
import { counted, percentText } from '../elements/amounts.js';

/** `, 62.0% to 91.0%`. */
export function intervalText({ low, high }: DiffSide): string {
  return low === null || high === null ? '' : `, ${percentText(low)} to ${percentText(high)}`;
}

/** What the rate does not count. */
export function leftOutText({ errors, cancelled }: DiffSide): string {
  const parts = [
    errors > 0 ? counted(errors, 'error') : '',
    cancelled > 0 ? `${cancelled} cancelled` : '',
  ].filter(Boolean);
  return parts.length > 0 ? `left out: ${parts.join(', ')}` : '';
}

export function pText(pValue: number | null): string {
  if (pValue === null) return 'p not known';
  if (pValue < 0.001) return 'p < 0.001';
  return `p = ${pValue.toFixed(pValue < 0.1 ? 3 : 2)}`;
}
