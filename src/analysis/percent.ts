/** A share for people. Only what is all or nothing looks like it. */
export function percent(share: number): string {
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  return `${Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1)}%`;
}
