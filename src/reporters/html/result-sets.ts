import type { ReportSet } from '../../report-data/report-data.js';
import { chosenVariants, variantsIn } from '../../results/chosen-variants.js';
import type { PooledResults } from '../../results/pooled-results.js';
import type { NamedResults } from './named-results.js';

/** Results that are summed up and compared as one: all of a source, or of its matrix one variant. */
export interface ResultSet extends Pick<ReportSet, 'name' | 'source' | 'variant'> {
  results: PooledResults;
}

/** In the order of the sources, and of the matrix in each. */
export async function resultSets(sources: readonly NamedResults[]): Promise<ResultSet[]> {
  const sets: ResultSet[] = [];
  for (const [source, { name, results }] of sources.entries()) {
    const variants = variantsIn(results.files).filter((variant) => variant !== null);
    if (variants.length === 0) {
      sets.push({ name, source, variant: null, results });
      continue;
    }
    const nameOf = (part: string) => (sources.length > 1 ? `${name}: ${part}` : part);
    for (const variant of variants) {
      const part = await chosenVariants(results, (each) => each === variant);
      sets.push({ name: nameOf(variant), source, variant, results: part });
    }
    const rest = withoutVariant(results);
    sets.push({ name: nameOf('without a variant'), source, variant: null, results: rest });
  }
  return sets;
}

/** What was pooled or merged with a matrix and is not of it; mostly nothing. */
function withoutVariant(results: PooledResults): PooledResults {
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
