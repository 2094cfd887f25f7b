import type { Agreement } from '../../judge/agreement.js';
import type { Thresholds } from './judge-eval-options.js';

/** A threshold that a judge did not reach. */
export interface MissedThreshold {
  option: string;
  limit: number;
  /** Null: it could not be measured, which is no way to reach it. */
  found: number | null;
}

export function missedThresholds(
  { minAgreement, minKappa, maxFalsePasses }: Thresholds,
  agreement: Agreement,
): MissedThreshold[] {
  return [
    ...atLeast('--min-agreement', minAgreement, agreement.agreement),
    ...atLeast('--min-kappa', minKappa, agreement.kappa),
    ...atMost('--max-false-passes', maxFalsePasses, falsePassesOf(agreement)),
  ];
}

function atLeast(option: string, limit: number | undefined, found: number | null) {
  const isMissed = limit !== undefined && (found === null || found < limit);
  return isMissed ? [{ option, limit, found }] : [];
}

function atMost(option: string, limit: number | undefined, found: number | null) {
  const isMissed = limit !== undefined && (found === null || found > limit);
  return isMissed ? [{ option, limit, found }] : [];
}

/** Where no wrong answer was judged, none could have passed. */
function falsePassesOf({ falsePasses, trueFails }: Agreement): number | null {
  return falsePasses + trueFails === 0 ? null : falsePasses;
}
