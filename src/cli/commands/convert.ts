import { resolve } from 'node:path';
import { exitCodes, UsageError } from '../../base/errors.js';
import { resolveLinks } from '../../base/files.js';
import { didYouMean } from '../../base/nearest.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import type { Pattern } from '../../config/patterns/pattern.js';
import { converters, type WriteReport } from '../../reporters/registry.js';
import { selectTasks } from '../../results/read/name-selection.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { listLeftOut, type ResultsFile, type StopSignal } from '../../results/results-file.js';
import type { CommandRun } from '../command.js';
import {
  openChosen,
  parseTaskPattern,
  parseVariantPattern,
  showLeftOut,
} from '../result/chosen-results.js';
import { unlessStopped } from '../stop-signals.js';
import { type CommandIo, writeWhole } from '../terminal/output.js';
import { sanitizeForOutput } from '../terminal/text.js';

export async function run({ arguments: words, options, io }: CommandRun): Promise<number> {
  const [format = '', ...paths] = words;
  const report = await createReport(format);
  const wanted = { tasks: parseTaskPattern(options), variants: parseVariantPattern(options) };
  const { outputFile } = options;
  if (typeof outputFile !== 'string') {
    const { pieces, files } = await readPieces(io, report, { paths, ...wanted });
    await writeToStdout(pieces, io);
    showLeftOut(listLeftOut(files), io);
    return exitCodes.ok;
  }
  refuseOwnFiles(outputFile, paths);
  const isWritten = await unlessStopped(async (stop) => {
    const { pieces, files } = await readPieces(io, report, { paths, ...wanted, stop });
    await writeToFile(pieces, outputFile);
    showLeftOut(listLeftOut(files), io);
    return true;
  });
  return isWritten ? exitCodes.ok : exitCodes.interrupted;
}

interface Wanted {
  paths: readonly string[];
  tasks: Pattern | undefined;
  variants: Pattern | undefined;
  stop?: StopSignal;
}

async function readPieces(
  io: CommandIo,
  report: WriteReport,
  { paths, tasks, variants, stop }: Wanted,
): Promise<{ pieces: AsyncIterable<string>; files: ResultsFile[] }> {
  try {
    const source = await openChosen(io, paths, { variants, stop });
    const chosen = tasks ? await selectTasks(source, tasks) : source;
    return { pieces: readable(report(chosen), paths), files: source.files };
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
}

function createReport(format: string): Promise<WriteReport> {
  const report = converters.get(format);
  if (report) return report();
  const names = [...converters.keys()];
  const hint = didYouMean(format, names) ?? `expected ${names.join(', ')}`;
  throw new UsageError(`unknown format ${JSON.stringify(format)}`, hint);
}

function refuseOwnFiles(outputFile: string, paths: readonly string[]): void {
  if (outputFile.trim() === '') throw new UsageError('--output-file: expected a file');
  const target = resolveLinks(resolve(outputFile));
  if (paths.some((path) => resolveLinks(resolve(path)) === target)) {
    throw new UsageError(`--output-file: ${outputFile} is one of the results`);
  }
}

/** Results can turn out to be damaged in the middle. */
async function* readable(
  pieces: AsyncIterable<string>,
  paths: readonly string[],
): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
}

async function writeToStdout(pieces: AsyncIterable<string>, { stdout }: CommandIo): Promise<void> {
  for await (const piece of pieces) await writeWhole(stdout, sanitizeForOutput(stdout, piece));
}

async function writeToFile(pieces: AsyncIterable<string>, path: string): Promise<void> {
  const { TextFile } = await import('../../base/files.js');
  const explain = (error: unknown) =>
    new UsageError(`cannot write ${path}: ${explainWriteFailure(error).reason}`);
  const file = await TextFile.create(path).catch((error: unknown) => {
    throw explain(error);
  });
  try {
    for await (const piece of pieces) {
      await file.write(piece).catch((error: unknown) => {
        throw explain(error);
      });
    }
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.finish().catch((error: unknown) => {
    throw explain(error);
  });
}
