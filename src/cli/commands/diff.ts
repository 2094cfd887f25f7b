import { type DiffOptions, diffResults } from '../../analysis/diff/diff-results.js';
import { type FailOn, isStopped } from '../../analysis/diff/gate.js';
import { NotComparable } from '../../analysis/diff/not-comparable.js';
import type { ResultsDiff } from '../../analysis/diff/results-diff.js';
import type { Pattern } from '../../config/pattern.js';
import { diffMarkdown } from '../../reporters/markdown/diff-markdown.js';
import { chosenVariants, variantsIn } from '../../results/chosen-variants.js';
import type { PooledResults } from '../../results/pooled-results.js';
import { type LeftOutOfFile, leftOutOf } from '../../results/results-file.js';
import { explainUnreadableResults } from '../../run/outputs/unreadable-results.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { jsonText } from '../json-text.js';
import { noSuchVariant, openSample, variantPatternOf } from '../result/chosen-results.js';
import { diffText } from '../result/diff-text.js';
import { showLeftOut } from '../result/left-out.js';
import { styleFor } from '../style.js';
import { printText, terminalColumns } from '../wrapped-text.js';

export async function run({ options, io }: CommandRun): Promise<number> {
  const base = pathsOf('--base', options.base);
  const current = pathsOf('--current', options.current);
  const allowDifferent = options.allowDifferent === true;
  const variants = variantPatternOf(options);
  const { diff, leftOut } = await compare(io, { base, current, variants }, { allowDifferent });
  showLeftOut(leftOut, io);
  const failOn = failOnOf(options.failOn);
  const stopped = isStopped(diff, failOn);
  if (options.output === 'json') {
    io.stdout.write(jsonText({ ...diff, gate: { failOn, stopped }, leftOut }));
  } else if (options.output === 'markdown') {
    io.stdout.write(diffMarkdown(diff));
  } else {
    const look = { style: styleFor(io.stdout, io.environment), width: terminalColumns(io.stdout) };
    printText(io.stdout, diffText(diff, { failOn, stopped }, look));
  }
  return stopped ? exitCodes.failed : exitCodes.ok;
}

function pathsOf(option: string, given: CommandRun['options'][string]): string[] {
  const paths = Array.isArray(given) ? given : typeof given === 'string' ? [given] : [];
  if (paths.length > 0) return paths;
  throw new UsageError(
    `there is nothing to compare: ${option} is missing`,
    'write proctor diff --base OLD.json --current NEW.json',
  );
}

function failOnOf(given: CommandRun['options'][string]): FailOn {
  return given === 'any-drop' || given === 'never' ? given : 'regression';
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
    const [before, now] = await chosenSides(
      [await openSample(io, base), await openSample(io, current)],
      variants,
    );
    const diff = await diffResults(before, now, options);
    return { diff, leftOut: leftOutOf([...before.files, ...now.files]) };
  } catch (error) {
    if (error instanceof NotComparable) throw new UsageError(error.message, error.hint);
    const { path } = error as NodeJS.ErrnoException;
    throw explainUnreadableResults(path ?? [...base, ...current].join(', '), error);
  }
}

type BothSides = readonly [base: PooledResults, current: PooledResults];

/** A side without a matrix stays as it is: a variant of the other one may be compared with it. */
async function chosenSides(sides: BothSides, variants: Pattern | undefined): Promise<BothSides> {
  if (!variants) return sides;
  const all = sides.flatMap(({ files }) => variantsIn(files));
  if (all.every((name) => name === null)) throw noSuchVariant(variants, all);
  const chosen = async (side: PooledResults) => {
    const part = await chosenVariants(side, (name) => name === null || variants.test(name));
    if (part.files.length === 0) throw noSuchVariant(variants, variantsIn(side.files));
    return part;
  };
  return [await chosen(sides[0]), await chosen(sides[1])];
}
