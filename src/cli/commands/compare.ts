import { compareVariants } from '../../analysis/compare/compare-variants.js';
import type { VariantComparison } from '../../analysis/compare/variant-comparison.js';
import { NotComparableError } from '../../analysis/diff/comparability.js';
import { exitCodes, UsageError } from '../../base/errors.js';
import { describeComparison } from '../../reporters/document/compare-document.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { type LeftOutOfFile, listLeftOut } from '../../results/results-file.js';
import type { CommandRun } from '../command.js';
import {
  openSample,
  parseTaskPattern,
  parseVariantPattern,
  showLeftOut,
} from '../result/chosen-results.js';
import { printReport } from '../terminal/document.js';

export async function run(call: CommandRun): Promise<number> {
  const { comparison, leftOut } = await compare(call);
  showLeftOut(leftOut, call.io);
  printReport(call, {
    data: { ...comparison, leftOut },
    document: describeComparison(comparison),
  });
  return exitCodes.ok;
}

async function compare({
  arguments: paths,
  options,
  io,
}: CommandRun): Promise<{ comparison: VariantComparison; leftOut: LeftOutOfFile[] }> {
  const tasks = parseTaskPattern(options);
  const variants = parseVariantPattern(options);
  try {
    const sample = await openSample(io, paths);
    const comparison = await compareVariants(sample, {
      isWanted: (task) => tasks?.test(task) !== false,
      isWantedVariant: (name) => variants?.test(name) !== false,
    });
    return { comparison, leftOut: listLeftOut(sample.files) };
  } catch (error) {
    if (error instanceof NotComparableError) throw new UsageError(error.message, error.hint);
    throw explainUnreadableResults(paths.join(', '), error);
  }
}
