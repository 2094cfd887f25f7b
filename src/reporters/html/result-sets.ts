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

/** What the report shows as one. */
export interface NamedResults {
  name: string;
  results: PooledResults;
}

/** Results that are summed up and compared as one: all of a source, or of its matrix one variant. */
export interface ResultSet extends Pick<ReportSet, 'name' | 'source' | 'variant'> {
  results: PooledResults;
}

/** In the order of the sources, and of the matrix in each. */
export async function makeResultSets(sources: readonly NamedResults[]): Promise<ResultSet[]> {
  const sets: ResultSet[] = [];
  for (const [source, { name, results }] of sources.entries()) {
    const variants = listVariants(results.files).filter((variant) => variant !== null);
    if (variants.length === 0) {
      sets.push({ name, source, variant: null, results });
      continue;
    }
    const nameOf = (part: string) => (sources.length > 1 ? `${name}: ${part}` : part);
    for (const variant of variants) {
      const part = await selectVariants(results, (each) => each === variant);
      sets.push({ name: nameOf(variant), source, variant, results: part });
    }
    const rest = selectWithoutVariant(results);
    sets.push({ name: nameOf('without a variant'), source, variant: null, results: rest });
  }
  return sets;
}

/** What was pooled or merged with a matrix and is not of it; mostly nothing. */
function selectWithoutVariant(results: PooledResults): PooledResults {
  // How many of the planned task runs these are, nobody tells.
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

/** Each further set against its base. Another agent or model is told, and no reason to refuse. */
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
      const own = isOfOneMatrix ? await comparisons.of(current.source) : undefined;
      const names = { base: before.variant ?? '', current: current.variant ?? '' };
      const judged = own ? applyComparisonVerdicts(diff, own, names) : diff;
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
        if (error instanceof NotComparableError) return undefined;
        throw error;
      });
      this.#made.set(source, made);
    }
    return this.#made.get(source);
  }
}

/** That variants of a matrix have different names and agents is what they are for. */
function dropKnownCaveats(diff: ResultsDiff, one: ResultSet, other: ResultSet): ResultsDiff {
  const [base, current] = [one.results.files, other.results.files];
  const variants = pairVariants(base, current);
  const known = [...describeUnlikeNames(variants), ...findDifferences({ base, current, variants })];
  return { ...diff, caveats: diff.caveats.filter((caveat) => !known.includes(caveat)) };
}

/** The same variant of the first source; without one, the first set of all. */
function findBase(sets: readonly ResultSet[], set: number): number {
  const { source, variant } = sets[set] ?? {};
  if (source === 0 || variant === null) return 0;
  const same = sets.findIndex((each) => each.source === 0 && each.variant === variant);
  return Math.max(same, 0);
}
