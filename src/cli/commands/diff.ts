import { NotComparableError } from '../../analysis/diff/comparability.js';
import { type DiffOptions, diffResults } from '../../analysis/diff/diff-results.js';
import { type FailOn, type ResultsDiff, shouldFail } from '../../analysis/diff/results-diff.js';
import { exitCodes, UsageError } from '../../base/errors.js';
import type { Pattern } from '../../config/patterns/pattern.js';
import { describeDiff } from '../../reporters/document/diff-document.js';
import { selectSides } from '../../results/read/name-selection.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { type LeftOutOfFile, listLeftOut } from '../../results/results-file.js';
import type { CommandRun } from '../command.js';
import { openSample, parseVariantPattern, showLeftOut } from '../result/chosen-results.js';
import { printReport } from '../terminal/document.js';
import type { CommandIo } from '../terminal/output.js';

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const base = parsePaths('--base', options.base);
  const current = parsePaths('--current', options.current);
  const allowDifferent = options.allowDifferent === true;
  const variants = parseVariantPattern(options);
  const { diff, leftOut } = await compare(io, { base, current, variants }, { allowDifferent });
  showLeftOut(leftOut, io);
  const failOn = options.failOn as FailOn;
  const stopped = shouldFail(diff, failOn);
  const gate = { failOn, stopped };
  printReport(call, { data: { ...diff, gate, leftOut }, document: describeDiff(diff, gate) });
  return stopped ? exitCodes.failed : exitCodes.ok;
}

function parsePaths(option: string, given: CommandRun['options'][string]): string[] {
  const paths = Array.isArray(given) ? given : typeof given === 'string' ? [given] : [];
  if (paths.length > 0) return paths;
  throw new UsageError(
    `there is nothing to compare: ${option} is missing`,
    'write proctor diff --base OLD.json --current NEW.json',
  );
}

interface Sides {
  base: readonly string[];
  current: readonly string[];
  variants: Pattern | undefined;
}

async function compare(
  io: CommandIo,
  { base, current, variants }: Sides,
  options: DiffOptions,
): Promise<{ diff: ResultsDiff; leftOut: LeftOutOfFile[] }> {
  try {
    const [before, now] = await selectSides(
      [await openSample(io, base), await openSample(io, current)],
      variants,
    );
    const diff = await diffResults(before, now, options);
    return { diff, leftOut: listLeftOut([...before.files, ...now.files]) };
  } catch (error) {
    if (error instanceof NotComparableError) throw new UsageError(error.message, error.hint);
    throw explainUnreadableResults([...base, ...current].join(', '), error);
  }
}
