import { resolve } from 'node:path';
import { didYouMean } from '../../base/nearest.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import type { Pattern } from '../../config/pattern.js';
import type { PooledResults } from '../../results/pooled-results.js';
import { leftOutOf, type ResultsFile } from '../../results/results-file.js';
import type { StopSignal } from '../../results/stop-signal.js';
import { resolveLinks } from '../../run/outputs/output-files.js';
import { explainUnreadableResults } from '../../run/outputs/unreadable-results.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { chosenTasks, openChosen, variantPatternOf } from '../result/chosen-results.js';
import { showLeftOut } from '../result/left-out.js';
import { taskPatternOf } from '../result/task-pattern.js';
import { unlessStopped } from '../stoppable-work.js';
import { forReader, writeWhole } from '../whole-output.js';

type Report = (source: PooledResults) => AsyncIterable<string>;

const formats: Readonly<Record<string, () => Promise<Report>>> = {
  junit: async () => (await import('../../reporters/junit/junit-report.js')).junitReport,
  markdown: async () => {
    const { markdownReport } = await import('../../reporters/markdown/markdown-report.js');
    return async function* (source) {
      yield await markdownReport(source);
    };
  },
  mcpchecker: async () =>
    (await import('../../reporters/mcpchecker/mcpchecker-report.js')).mcpcheckerReport,
  csv: async () => (await import('../../reporters/csv/csv-report.js')).csvReport,
};

export async function run({ arguments: words, options, io }: CommandRun): Promise<number> {
  const [format = '', ...paths] = words;
  const report = await reportOf(format);
  const wanted = { tasks: taskPatternOf(options), variants: variantPatternOf(options) };
  const { outputFile } = options;
  if (typeof outputFile !== 'string') {
    const { pieces, files } = await piecesOf(io, report, { paths, ...wanted });
    await toStdout(pieces, io);
    showLeftOut(leftOutOf(files), io);
    return exitCodes.ok;
  }
  refuseOwnFiles(outputFile, paths);
  const isWritten = await unlessStopped(async (stop) => {
    const { pieces, files } = await piecesOf(io, report, { paths, ...wanted, stop });
    await toFile(pieces, outputFile);
    showLeftOut(leftOutOf(files), io);
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

async function piecesOf(
  io: CommandIo,
  report: Report,
  { paths, tasks, variants, stop }: Wanted,
): Promise<{ pieces: AsyncIterable<string>; files: ResultsFile[] }> {
  try {
    const source = await openChosen(io, paths, { variants, stop });
    const chosen = tasks ? await chosenTasks(source, tasks) : source;
    return { pieces: readable(report(chosen), paths), files: source.files };
  } catch (error) {
    throw unreadable(paths, error);
  }
}

function reportOf(format: string): Promise<Report> {
  const report = new Map(Object.entries(formats)).get(format);
  if (report) return report();
  const names = Object.keys(formats);
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
    throw unreadable(paths, error);
  }
}

function unreadable(paths: readonly string[], error: unknown): unknown {
  const { path } = error as NodeJS.ErrnoException;
  return explainUnreadableResults(path ?? paths.join(', '), error);
}

async function toStdout(pieces: AsyncIterable<string>, { stdout }: CommandIo): Promise<void> {
  for await (const piece of pieces) await writeWhole(stdout, forReader(stdout, piece));
}

async function toFile(pieces: AsyncIterable<string>, path: string): Promise<void> {
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
