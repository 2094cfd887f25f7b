import { compareVariants } from '../../analysis/compare/compare-variants.js';
import type { VariantComparison } from '../../analysis/compare/variant-comparison.js';
import { NotComparable } from '../../analysis/diff/not-comparable.js';
import { compareMarkdown } from '../../reporters/markdown/compare-markdown.js';
import { type LeftOutOfFile, leftOutOf } from '../../results/results-file.js';
import { explainUnreadableResults } from '../../run/outputs/unreadable-results.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { openSample, variantPatternOf } from '../result/chosen-results.js';
import { compareText } from '../result/compare-text.js';
import { showLeftOut } from '../result/left-out.js';
import { taskPatternOf } from '../result/task-pattern.js';
import { styleFor } from '../style.js';
import { printText, terminalColumns } from '../wrapped-text.js';

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const { comparison, leftOut } = await compare(call);
  showLeftOut(leftOut, io);
  if (options.output === 'json') io.stdout.write(jsonText({ ...comparison, leftOut }));
  else if (options.output === 'markdown') io.stdout.write(compareMarkdown(comparison));
  else {
    const width = terminalColumns(io.stdout);
    const look = { style: styleFor(io.stdout, io.environment), width };
    printText(io.stdout, compareText(comparison, look));
  }
  return exitCodes.ok;
}

async function compare({
  arguments: paths,
  options,
  io,
}: CommandRun): Promise<{ comparison: VariantComparison; leftOut: LeftOutOfFile[] }> {
  const tasks = taskPatternOf(options);
  const variants = variantPatternOf(options);
  try {
    const sample = await openSample(io, paths);
    const comparison = await compareVariants(sample, {
      isWanted: (task) => tasks?.test(task) !== false,
      isWantedVariant: (name) => variants?.test(name) !== false,
    });
    return { comparison, leftOut: leftOutOf(sample.files) };
  } catch (error) {
    if (error instanceof NotComparable) throw new UsageError(error.message, error.hint);
    const { path } = error as NodeJS.ErrnoException;
    throw explainUnreadableResults(path ?? paths.join(', '), error);
  }
}
