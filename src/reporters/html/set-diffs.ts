import { compareVariants } from '../../analysis/compare/compare-variants.js';
import { diffOfVariants } from '../../analysis/compare/diff-of-variants.js';
import type { VariantComparison } from '../../analysis/compare/variant-comparison.js';
import { differences } from '../../analysis/diff/comparability.js';
import { diffResults } from '../../analysis/diff/diff-results.js';
import { NotComparable } from '../../analysis/diff/not-comparable.js';
import { pairVariants, unlikeNames } from '../../analysis/diff/pair-variants.js';
import type { ResultsDiff } from '../../analysis/diff/results-diff.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import type { NamedResults } from './named-results.js';
import type { ResultSet } from './result-sets.js';

export type SetDiffs = Pick<ReportIndex, 'diffs' | 'notCompared'>;

/** Each further set against its base. Another agent or model is told, and no reason to refuse. */
export async function setDiffs(
  sources: readonly NamedResults[],
  sets: readonly ResultSet[],
): Promise<SetDiffs> {
  const found: SetDiffs = { diffs: [], notCompared: [] };
  const comparisons = new Comparisons(sources);
  for (const [set, current] of sets.entries()) {
    const base = baseOf(sets, set);
    const before = sets[base];
    if (base === set || !before) continue;
    try {
      const diff = await diffResults(before.results, current.results, { allowDifferent: true });
      const isOfOneMatrix = before.source === current.source;
      const own = isOfOneMatrix ? await comparisons.of(current.source) : undefined;
      const names = { base: before.variant ?? '', current: current.variant ?? '' };
      const judged = own ? diffOfVariants(diff, own, names) : diff;
      found.diffs.push({
        base,
        set,
        diff: isOfOneMatrix ? withoutKnown(judged, before, current) : judged,
      });
    } catch (error) {
      if (!(error instanceof NotComparable)) throw error;
      found.notCompared.push({ base, set, reason: error.message });
    }
  }
  return found;
}

/** What `result compare` says of the variants of a source; each is made once. */
class Comparisons {
  readonly #sources: readonly NamedResults[];
  readonly #made = new Map<number, VariantComparison | undefined>();

  constructor(sources: readonly NamedResults[]) {
    this.#sources = sources;
  }

  /** Undefined: they cannot be compared as a whole. */
  async of(source: number): Promise<VariantComparison | undefined> {
    const results = this.#sources[source]?.results;
    if (!this.#made.has(source) && results) {
      const made = await compareVariants(results).catch((error: unknown) => {
        if (error instanceof NotComparable) return undefined;
        throw error;
      });
      this.#made.set(source, made);
    }
    return this.#made.get(source);
  }
}

/** That variants of a matrix have different names and agents is what they are for. */
function withoutKnown(diff: ResultsDiff, one: ResultSet, other: ResultSet): ResultsDiff {
  const [base, current] = [one.results.files, other.results.files];
  const variants = pairVariants(base, current);
  const known = [...unlikeNames(variants), ...differences({ base, current, variants })];
  return { ...diff, caveats: diff.caveats.filter((caveat) => !known.includes(caveat)) };
}

/** The same variant of the first source; without one, the first set of all. */
function baseOf(sets: readonly ResultSet[], set: number): number {
  const { source, variant } = sets[set] ?? {};
  if (source === 0 || variant === null) return 0;
  const same = sets.findIndex((each) => each.source === 0 && each.variant === variant);
  return Math.max(same, 0);
}
