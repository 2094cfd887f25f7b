import type { ReportSet } from '../../report-data/report-data.js';
import type { PooledResults } from '../../results/pooled-results.js';
import type { ResultsFile } from '../../results/results-file.js';
import { resultsOfVariant } from '../../results/results-of-variant.js';
import type { NamedResults } from './named-results.js';

/** Results that are summed up and compared as one: all of a source, or of its matrix one variant. */
export interface ResultSet extends Pick<ReportSet, 'name' | 'source' | 'variant'> {
  results: PooledResults;
}

/** In the order of the sources, and of the matrix in each. */
export function resultSets(sources: readonly NamedResults[]): ResultSet[] {
  return sources.flatMap(({ name, results }, source) => {
    const variants = variantsOf(results);
    if (variants.length === 0) return [{ name, source, variant: null, results }];
    const nameOf = (part: string) => (sources.length > 1 ? `${name}: ${part}` : part);
    const sets = variants.map((variant) => ({
      name: nameOf(variant),
      source,
      variant,
      results: ofVariant(results, variant),
    }));
    const rest = withoutVariant(results);
    return [...sets, { name: nameOf('without a variant'), source, variant: null, results: rest }];
  });
}

function variantsOf({ files }: PooledResults): string[] {
  return [...new Set(files.flatMap(({ header }) => header.variants.map(({ name }) => name)))];
}

function ofVariant(results: PooledResults, variant: string): PooledResults {
  const files = results.files.filter(({ header }) =>
    header.variants.some(({ name }) => name === variant),
  );
  return narrowed(
    results,
    new Map(files.map((file) => [file, resultsOfVariant(file, variant)])),
    variant,
  );
}

/** Of files that were pooled or merged with those of a matrix, and have none; mostly nothing. */
function withoutVariant(results: PooledResults): PooledResults {
  const rest = ({ header, ...file }: ResultsFile) => ({
    ...file,
    header: { ...header, variants: [] },
  });
  return narrowed(results, new Map(results.files.map((file) => [file, rest(file)])), null);
}

function narrowed(
  results: PooledResults,
  files: ReadonlyMap<ResultsFile, ResultsFile>,
  variant: string | null,
): PooledResults {
  // How many of the planned task runs are of this variant, nobody tells.
  const own = new Map(
    [...files].map(([file, { header, ...part }]) => [
      file,
      { ...part, header: { ...header, planned: null } },
    ]),
  );
  return {
    files: [...own.values()],
    async *taskRuns(options) {
      for await (const { file, taskRun } of results.taskRuns(options)) {
        const part = own.get(file);
        if (part && taskRun.variant === variant) yield { file: part, taskRun };
      }
    },
  };
}
