/** How often two raters said yes and no of the same things. */
export interface Ratings {
  bothYes: number;
  bothNo: number;
  onlyFirst: number;
  onlySecond: number;
}

/**
 * Cohen's kappa: by how much two raters agree more than chance would have it, from -1 to 1.
 * Undefined where chance alone would agree always: both said only yes, or only no, or nothing.
 */
export function cohensKappa({
  bothYes,
  bothNo,
  onlyFirst,
  onlySecond,
}: Ratings): number | undefined {
  const disagreements = onlyFirst + onlySecond;
  const firstYes = bothYes + onlyFirst;
  const secondYes = bothYes + onlySecond;
  const firstNo = bothNo + onlySecond;
  const secondNo = bothNo + onlyFirst;
  // Both sides times the square of the total, so that whole numbers stay whole.
  const expectedDisagreements = firstYes * secondNo + firstNo * secondYes;
  if (expectedDisagreements === 0) return undefined;
  const total = disagreements + bothYes + bothNo;
  return 1 - (disagreements * total) / expectedDisagreements;
}

/** What a kappa means, in the words of Landis and Koch (1977). */
export function describeKappa(kappa: number): string {
  if (kappa < 0) return 'worse than chance';
  if (kappa <= 0.2) return 'slight';
  if (kappa <= 0.4) return 'fair';
  if (kappa <= 0.6) return 'moderate';
  return kappa <= 0.8 ? 'substantial' : 'almost perfect';
}
