import type { ThresholdCheck } from './thresholds.js';

/** Sums and products of rates and dollars are not exact in their last digits. */
const tolerance = 1e-9;

type Limit = Pick<ThresholdCheck, 'option' | 'measure' | 'limit'>;

export function atLeast(limit: Limit, found: number | null, note: string): ThresholdCheck {
  const missing = found === null ? null : limit.limit - found;
  return check({ ...limit, unit: 'rate', kind: 'at least', found, note }, missing);
}

export function atMost(
  limit: Limit & Pick<ThresholdCheck, 'unit'>,
  found: number | null,
  note: string,
): ThresholdCheck {
  const surplus = found === null ? null : found - limit.limit;
  return check({ ...limit, kind: 'at most', found, note }, surplus);
}

/** There is nothing that the limit could be held against, which is no reason to fail. */
export function notApplicable(limit: Limit, note: string): ThresholdCheck {
  const measured = { ...limit, unit: 'rate', kind: 'at least', found: null, note } as const;
  return { ...measured, variant: null, applies: false, holds: true, missedBy: null };
}

function check(
  measured: Omit<ThresholdCheck, 'variant' | 'applies' | 'holds' | 'missedBy'>,
  distance: number | null,
): ThresholdCheck {
  const holds = distance !== null && distance <= tolerance;
  return { ...measured, variant: null, applies: true, holds, missedBy: holds ? null : distance };
}
