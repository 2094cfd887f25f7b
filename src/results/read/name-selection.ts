import { UsageError } from '../../base/errors.js';
import type { Pattern } from '../../config/patterns/pattern.js';
import type { PooledResults } from './pooled-results.js';
import { listVariants, selectVariants } from './variant-selection.js';

/** Names of tasks or variants in a hint. */
export const mostNames = 20;

/** The part of a sample that is of variants with matching names. Throws UsageError if there are none. */
export async function selectNamedVariants(
  pooled: PooledResults,
  variants: Pattern,
): Promise<PooledResults> {
  const chosen = await selectVariants(pooled, (name) => name !== null && variants.test(name));
  if (chosen.files.length === 0) throw refuseUnknownVariant(variants, listVariants(pooled.files));
  return chosen;
}

/** What to throw where no variant has a name that matches. */
function refuseUnknownVariant(
  { source }: Pattern,
  variants: readonly (string | null)[],
): UsageError {
  const names = variants.filter((name) => name !== null);
  const message = `--variant: no variant matches ${JSON.stringify(source)}`;
  if (names.length === 0) {
    return new UsageError(message, 'the results have no variants: leave the option out');
  }
  const shown = names.slice(0, mostNames).map((name) => name.slice(0, 100));
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return new UsageError(message, `variants are: ${shown.join(', ')}${more}`);
}

/** The part of a sample that is of some tasks. Throws UsageError if there are none. */
export async function selectTasks(pooled: PooledResults, tasks: Pattern): Promise<PooledResults> {
  // It is not known how many task runs were planned.
  const parts = new Map(
    pooled.files.map((file) => [file, { ...file, header: { ...file.header, planned: null } }]),
  );
  const others = new Set<string>();
  const chosen: PooledResults = {
    files: [...parts.values()],
    async *taskRuns({ of, ...options } = {}) {
      const [whole] = [...parts].find(([, part]) => part === of) ?? [];
      for await (const { file, taskRun } of pooled.taskRuns({
        ...options,
        ...(whole && { of: whole }),
      })) {
        const part = parts.get(file);
        if (part && tasks.test(taskRun.task)) yield { file: part, taskRun };
        else if (others.size < mostNames) others.add(taskRun.task);
      }
    },
  };
  for await (const _ of chosen.taskRuns({ withoutCallResults: true })) return chosen;
  throw refuseUnknownTask(tasks, [...others]);
}

/** What to throw where no task has a name that matches; `names` are some that there are. */
export function refuseUnknownTask({ source }: Pattern, names: readonly string[]): UsageError {
  const message = `--task: no task matches ${JSON.stringify(source)}`;
  if (names.length === 0) return new UsageError(message, 'the results hold no task runs');
  return new UsageError(
    message,
    `tasks are: ${names.map((name) => name.slice(0, 100)).join(', ')}`,
  );
}

type BothSides = readonly [base: PooledResults, current: PooledResults];

/**
 * The parts of both sides of a diff that are of variants with matching names. A side without a matrix stays as it is:
 * a variant of the other one may be compared with it. Throws UsageError if there are none.
 */
export async function selectSides(
  sides: BothSides,
  variants: Pattern | undefined,
): Promise<BothSides> {
  if (!variants) return sides;
  const all = sides.flatMap(({ files }) => listVariants(files));
  if (all.every((name) => name === null)) throw refuseUnknownVariant(variants, all);
  const chosen = async (side: PooledResults) => {
    const part = await selectVariants(side, (name) => name === null || variants.test(name));
    if (part.files.length === 0) throw refuseUnknownVariant(variants, listVariants(side.files));
    return part;
  };
  return [await chosen(sides[0]), await chosen(sides[1])];
}
