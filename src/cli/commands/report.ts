import { realpath } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exitCodes, UsageError } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import type { NamedResults } from '../../reporters/html/result-sets.js';
import {
  type ReportRequest,
  writeRecordingReport,
  writeReport,
} from '../../reporters/html/write-report.js';
import type { RecordingFile } from '../../results/journal/recording-file.js';
import { openPooled } from '../../results/read/pooled-results.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { ControlResultsError } from '../../results/results-errors.js';
import { listLeftOut, type StopSignal } from '../../results/results-file.js';
import type { CommandRun } from '../command.js';
import {
  listLeftOutOfRecordings,
  noteControl,
  recordingsIn,
  showLeftOut,
} from '../result/chosen-results.js';
import { unlessStopped } from '../stop-signals.js';
import type { CommandIo } from '../terminal/output.js';
import { terminalText } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const recordings = await recordingsIn(call, []);
  if (recordings) return reportRecordings(call, recordings);
  const groups = options.pool === true ? [paths] : paths.map((path) => [path]);
  const { out: given } = options;
  if (typeof given === 'string') await refuseOverwriting(paths, resolve(given));
  const written = await unlessStopped(async (stop) => {
    const sources = await openSources(io, groups, stop);
    const out = resolve(typeof given === 'string' ? given : chooseDefaultOut(sources));
    await refuseOverwriting(paths, out);
    const title = typeof options.title === 'string' ? options.title : chooseTitle(sources);
    const done = await write({ sources, title, out });
    const files = sources.flatMap(({ results }) => results.files);
    return { out, ...done, leftOut: listLeftOut(files) };
  });
  if (!written) return exitCodes.interrupted;
  const { out, bytes, taskRuns, notCompared, leftOut } = written;
  showLeftOut(leftOut, io);
  for (const { name, reason } of notCompared) {
    io.stderr.write(terminalText(`${name} is not compared: ${reason}\n`));
  }
  const size = `${plural(taskRuns, 'task run')}, ${formatSize(bytes)}`;
  io.stdout.write(terminalText(`${out} (${size})\n${pathToFileURL(out).href}\n`));
  return exitCodes.ok;
}

/** One set of sessions: several recordings are not compared, as nothing was judged. */
async function reportRecordings(
  { arguments: paths, options, io }: CommandRun,
  recordings: readonly RecordingFile[],
): Promise<number> {
  const { out: given } = options;
  const [first] = recordings;
  const out = resolve(typeof given === 'string' ? given : chooseOut(first?.path ?? ''));
  await refuseOverwriting(paths, out);
  const title =
    typeof options.title === 'string'
      ? options.title
      : recordings.map(({ path }) => basename(path)).join(', ');
  const written = await unlessStopped(() =>
    writeRecordingReport({ recordings, title, out }).catch((error: unknown) => {
      throw explainUnwritable(out, error);
    }),
  );
  if (!written) return exitCodes.interrupted;
  showLeftOut(listLeftOutOfRecordings(recordings), io);
  const size = `${plural(written.taskRuns, 'session')}, ${formatSize(written.bytes)}`;
  io.stdout.write(terminalText(`${out} (${size})\n${pathToFileURL(out).href}\n`));
  return exitCodes.ok;
}

function chooseDefaultOut([source]: readonly NamedResults[]): string {
  return chooseOut(source?.results.files[0]?.path ?? '');
}

function chooseOut(path: string): string {
  return `${basename(path, extname(path))}.html`;
}

/** A slip such as `--out out.json` would cost what cannot be had again. */
async function refuseOverwriting(paths: readonly string[], out: string): Promise<void> {
  const target = await realpath(out).catch(() => out);
  for (const path of paths) {
    if ((await realpath(path).catch(() => resolve(path))) !== target) continue;
    throw new UsageError(`${path} would be overwritten`, 'name another file with --out');
  }
}

/** Each group is one source; those of control runs are left out beside others. */
async function openSources(
  io: CommandIo,
  groups: readonly (readonly string[])[],
  stop: StopSignal,
): Promise<NamedResults[]> {
  const names = groups.map((paths) => paths.map((path) => basename(path)).join(' + '));
  const isAmbiguous = new Set(names).size < names.length;
  const sources: NamedResults[] = [];
  const control: { path: string; error: ControlResultsError }[] = [];
  for (const [place, paths] of groups.entries()) {
    const name = isAmbiguous ? paths.join(' + ') : (names[place] ?? '');
    try {
      const onControl = (path: string) => noteControl(io, path);
      sources.push({ name, results: await openPooled(paths, { stop, onControl }) });
    } catch (error) {
      const [path = ''] = paths;
      if (!(error instanceof ControlResultsError))
        throw explainUnreadableResults(paths.join(', '), error);
      control.push({ path, error });
    }
  }
  if (sources.length === 0) throw explainUnreadableResults('', control[0]?.error);
  for (const { path } of control) noteControl(io, path);
  return sources;
}

function chooseTitle(sources: readonly NamedResults[]): string {
  const files = sources.flatMap(({ results }) => results.files);
  const names = new Set(files.flatMap(({ header }) => header.eval?.name ?? []));
  return names.size > 0 ? [...names].join(', ') : (sources[0]?.name ?? '');
}

async function write(request: ReportRequest) {
  try {
    return await writeReport(request);
  } catch (error) {
    throw explainUnwritable(request.out, error);
  }
}

function explainUnwritable(out: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(`the folder of ${out} does not exist`);
  if (code === 'EISDIR') return new UsageError(`${out} is a folder`);
  const isAboutTheFile = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR'].includes(code ?? '');
  if (isAboutTheFile) return new UsageError(`${out} cannot be written: ${message}`);
  return explainUnreadableResults(out, error);
}

function formatSize(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1 ? `${Math.ceil(bytes / 1000)} kB` : `${megabytes.toFixed(1)} MB`;
}
