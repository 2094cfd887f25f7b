import type { Pattern } from '../../config/pattern.js';
import { chosenVariants, variantsIn } from '../../results/chosen-variants.js';
import { openPooled, type PooledResults } from '../../results/pooled-results.js';
import type { StopSignal } from '../../results/stop-signal.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';
import { patternOf } from './task-pattern.js';

/** The pattern of `--variant`; undefined if there is none. */
export function variantPatternOf({ variant }: CommandRun['options']): Pattern | undefined {
  return patternOf('--variant', variant);
}

/**
 * Opens files as one sample, or the part of it that the variants did which are asked for. Throws
 * UsageError if there are none, and what `openPooled` throws.
 */
export async function openChosen(
  paths: readonly string[],
  variants: Pattern | undefined,
  stop?: StopSignal,
): Promise<PooledResults> {
  const pooled = await openPooled(paths, stop);
  if (!variants) return pooled;
  const chosen = await chosenVariants(pooled, (name) => name !== null && variants.test(name));
  if (chosen.files.length === 0) throw noSuchVariant(variants, variantsIn(pooled.files));
  return chosen;
}

const mostNames = 20;

export function noSuchVariant(
  { source }: Pattern,
  variants: readonly (string | null)[],
): UsageError {
  const names = variants.filter((name) => name !== null);
  const message = `--variant: no variant matches ${JSON.stringify(source)}`;
  if (names.length === 0) {
    return new UsageError(message, 'the results are of no matrix: leave it out');
  }
  const shown = names.slice(0, mostNames).map((name) => name.slice(0, 100));
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return new UsageError(message, `variants are: ${shown.join(', ')}${more}`);
}
