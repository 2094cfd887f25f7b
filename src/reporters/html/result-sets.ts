import { compareVariants } from '../../analysis/compare/compare-variants.js';
import type { VariantComparison } from '../../analysis/compare/variant-comparison.js';
import { applyComparisonVerdicts } from '../../analysis/compare/variant-diff.js';
import {
  describeUnlikeNames,
  findDifferences,
  NotComparableError,
  pairVariants,
} from '../../analysis/diff/comparability.js';
import { diffResults } from '../../analysis/diff/diff-results.js';
import type { ResultsDiff } from '../../analysis/diff/results-diff.js';
import type { ReportIndex, ReportSet } from '../../report-data/report-data.js';
import type { PooledResults } from '../../results/read/pooled-results.js';
import { listVariants, selectVariants } from '../../results/read/variant-selection.js';

/** Results that the report shows under one name. */
export interface NamedResults {
  name: string;
  results: PooledResults;
}

/** Results that are summarized and compared as one: a whole source, or one variant of its matrix. */
export interface ResultSet extends Pick<ReportSet, 'name' | 'source' | 'variant'> {
  results: PooledResults;
}

/** Makes the sets in the order of the sources, and of the variants of each. */
export async function makeResultSets(sources: readonly NamedResults[]): Promise<ResultSet[]> {
  const sets: ResultSet[] = [];
  for (const [source, { name, results }] of sources.entries()) {
    const variants = listVariants(results.files).filter((variant) => variant !== null);
    if (variants.length === 0) {
      sets.push({ name, source, variant: null, results });
      continue;
    }
    const makeName = (part: string) => (sources.length > 1 ? `${name}: ${part}` : part);
    for (const variant of variants) {
      const part = await selectVariants(results, (candidate) => candidate === variant);
      sets.push({ name: makeName(variant), source, variant, results: part });
    }
    const rest = selectWithoutVariant(results);
    sets.push({ name: makeName('without a variant'), source, variant: null, results: rest });
  }
  return sets;
}

/** Task runs that were merged with a matrix and belong to no variant; mostly there are none. */
function selectWithoutVariant(results: PooledResults): PooledResults {
  // It is not known how many of the planned task runs these are.
  const parts = new Map(
    results.files.map((file) => [
      file,
      { ...file, header: { ...file.header, variants: [], planned: null } },
    ]),
  );
  return {
    files: [...parts.values()],
    async *taskRuns({ of, ...options } = {}) {
      const [whole] = [...parts].find(([, part]) => part === of) ?? [];
      const all = { ...options, ...(whole && { of: whole }) };
      for await (const { file, taskRun } of results.taskRuns(all)) {
        const part = parts.get(file);
        if (part && taskRun.variant === null) yield { file: part, taskRun };
      }
    },
  };
}

type SetDiffs = Pick<ReportIndex, 'diffs' | 'notCompared'>;

/** Compares each further set with its base. Other agents or models are reported, and no reason to refuse. */
export async function diffSets(
  sources: readonly NamedResults[],
  sets: readonly ResultSet[],
): Promise<SetDiffs> {
  const found: SetDiffs = { diffs: [], notCompared: [] };
  const comparisons = new Comparisons(sources);
  for (const [set, current] of sets.entries()) {
    const base = findBase(sets, set);
    const before = sets[base];
    if (base === set || !before) continue;
    try {
      const diff = await diffResults(before.results, current.results, { allowDifferent: true });
      const isOfOneMatrix = before.source === current.source;
      const comparison = isOfOneMatrix ? await comparisons.get(current.source) : undefined;
      const names = { base: before.variant ?? '', current: current.variant ?? '' };
      const judged = comparison ? applyComparisonVerdicts(diff, comparison, names) : diff;
      found.diffs.push({
        base,
        set,
        diff: isOfOneMatrix ? dropKnownCaveats(judged, before, current) : judged,
      });
    } catch (error) {
      if (!(error instanceof NotComparableError)) throw error;
      found.notCompared.push({ base, set, reason: error.message });
    }
  }
  return found;
}

/** Comparisons of the variants of sources, as `result compare` makes them; each is made once. */
class Comparisons {
  readonly #sources: readonly NamedResults[];
  readonly #made = new Map<number, VariantComparison | undefined>();

  constructor(sources: readonly NamedResults[]) {
    this.#sources = sources;
  }

  /** The comparison of a source; undefined if its variants cannot be compared. */
  async get(source: number): Promise<VariantComparison | undefined> {
    const results = this.#sources[source]?.results;
    if (!this.#made.has(source) && results) {
      const made = await compareVariants(results).catch((error: unknown) => {
        if (error instanceof NotComparableError) return undefined;
        throw error;
      });
      this.#made.set(source, made);
    }
    return this.#made.get(source);
  }
}

/** Drops caveats on different names and agents, which variants of a matrix have on purpose. */
function dropKnownCaveats(diff: ResultsDiff, one: ResultSet, other: ResultSet): ResultsDiff {
  const [base, current] = [one.results.files, other.results.files];
  const variants = pairVariants(base, current);
  const known = [...describeUnlikeNames(variants), ...findDifferences({ base, current, variants })];
  return { ...diff, caveats: diff.caveats.filter((caveat) => !known.includes(caveat)) };
}

/** The base of a set: the same variant of the first source, or the first set. */
function findBase(sets: readonly ResultSet[], set: number): number {
  const { source, variant } = sets[set] ?? {};
  if (source === 0 || variant === null) return 0;
  const same = sets.findIndex(
    (candidate) => candidate.source === 0 && candidate.variant === variant,
  );
  return Math.max(same, 0);
}
