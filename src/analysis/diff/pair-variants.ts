import { variantsIn } from '../../results/chosen-variants.js';
import type { ResultsFile } from '../../results/results-file.js';
import { few } from './few.js';
import { NotComparable } from './not-comparable.js';

/** Variants of both sides that are held against each other. Null: that side has no matrix. */
export interface VariantPair {
  base: string | null;
  current: string | null;
}

/**
 * Variants belong together that have the same name. Where each side has only one, it is these two,
 * whatever they are called. Throws NotComparable if there is no pair.
 */
export function pairVariants(
  base: readonly ResultsFile[],
  current: readonly ResultsFile[],
): VariantPair[] {
  const before = variantsIn(base);
  const now = variantsIn(current);
  const [onlyBefore = null] = before;
  const [onlyNow = null] = now;
  if (before.length <= 1 && now.length <= 1) return [{ base: onlyBefore, current: onlyNow }];
  const common = before.filter((name) => now.includes(name));
  if (common.length > 0) return common.map((name) => ({ base: name, current: name }));
  throw new NotComparable(
    `base and current have no variant in common: ${inWords('base', before)}, ${inWords('current', now)}`,
    'choose one on each side with --variant REGEX',
  );
}

/** Said where names alone do not tell what is compared. */
export function unlikeNames(pairs: readonly VariantPair[]): string[] {
  return pairs
    .filter(({ base, current }) => base !== current)
    .map(({ base, current }) =>
      [inWords('base', [base]), inWords('current', [current])].join(', and '),
    );
}

function inWords(side: string, variants: readonly (string | null)[]): string {
  const names = variants.filter((name) => name !== null);
  if (names.length === 0) return `${side} is of no matrix`;
  return names.length === 1
    ? `${side} is variant ${few(names)}`
    : `${side} has the variants ${few(names)}`;
}
