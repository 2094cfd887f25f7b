import { compareVariants } from '../../analysis/compare/compare-variants.js';
import type { VariantComparison } from '../../analysis/compare/variant-comparison.js';
import { NotComparable } from '../../analysis/diff/not-comparable.js';
import { compareMarkdown } from '../../reporters/markdown/compare-markdown.js';
import { openPooled } from '../../results/pooled-results.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { variantPatternOf } from '../result/chosen-results.js';
import { compareText } from '../result/compare-text.js';
import { taskPatternOf } from '../result/task-pattern.js';
import { styleFor } from '../style.js';
import { unreadableResults } from '../unreadable-results.js';

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const comparison = await compare(call);
  if (options.output === 'json') io.stdout.write(jsonText(comparison));
  else if (options.output === 'markdown') io.stdout.write(compareMarkdown(comparison));
  else {
    const width = io.stdout.isTerminal ? io.stdout.size?.()?.columns : undefined;
    const look = { style: styleFor(io.stdout, io.environment), width };
    io.stdout.write(compareText(comparison, look));
  }
  return exitCodes.ok;
}

async function compare({ arguments: paths, options }: CommandRun): Promise<VariantComparison> {
  const tasks = taskPatternOf(options);
  const variants = variantPatternOf(options);
  try {
    return await compareVariants(await openPooled(paths), {
      isWanted: (task) => tasks?.test(task) !== false,
      isWantedVariant: (name) => variants?.test(name) !== false,
    });
  } catch (error) {
    if (error instanceof NotComparable) throw new UsageError(error.message, error.hint);
    const { path } = error as NodeJS.ErrnoException;
    throw unreadableResults(path ?? paths.join(', '), error);
  }
}
