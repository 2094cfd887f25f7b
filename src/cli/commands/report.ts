import { realpath } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { plural } from '../../config/plural.js';
import type { NamedResults } from '../../reporters/html/named-results.js';
import { type ReportRequest, writeReport } from '../../reporters/html/write-report.js';
import { openPooled } from '../../results/pooled-results.js';
import type { StopSignal } from '../../results/stop-signal.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { unlessStopped } from '../stoppable-work.js';
import { terminalText } from '../terminal-text.js';
import { unreadableResults } from '../unreadable-results.js';

export async function run({ arguments: paths, options, io }: CommandRun): Promise<number> {
  const out = resolve(typeof options.out === 'string' ? options.out : defaultOut(paths));
  await refuseOverwriting(paths, out);
  const groups = options.pool === true ? [paths] : paths.map((path) => [path]);
  const written = await unlessStopped(async (stop) => {
    const sources = await openSources(groups, stop);
    const title = typeof options.title === 'string' ? options.title : titleOf(sources);
    return write({ sources, title, out });
  });
  if (!written) return exitCodes.interrupted;
  const { bytes, taskRuns, notCompared } = written;
  for (const { name, reason } of notCompared) {
    io.stderr.write(terminalText(`${name} is not compared: ${reason}\n`));
  }
  const size = `${plural(taskRuns, 'task run')}, ${sizeText(bytes)}`;
  io.stdout.write(terminalText(`${out} (${size})\n${pathToFileURL(out).href}\n`));
  return exitCodes.ok;
}

function defaultOut([first = '']: readonly string[]): string {
  return `${basename(first, extname(first))}.html`;
}

/** A slip such as `--out out.json` would cost what cannot be had again. */
async function refuseOverwriting(paths: readonly string[], out: string): Promise<void> {
  const target = await realpath(out).catch(() => out);
  for (const path of paths) {
    if ((await realpath(path).catch(() => resolve(path))) !== target) continue;
    throw new UsageError(`${path} would be overwritten`, 'name another file with --out');
  }
}

async function openSources(
  groups: readonly (readonly string[])[],
  stop: StopSignal,
): Promise<NamedResults[]> {
  const names = groups.map((paths) => paths.map((path) => basename(path)).join(' + '));
  const isAmbiguous = new Set(names).size < names.length;
  const sources: NamedResults[] = [];
  for (const [place, paths] of groups.entries()) {
    const name = isAmbiguous ? paths.join(' + ') : (names[place] ?? '');
    sources.push({ name, results: await open(paths, stop) });
  }
  return sources;
}

async function open(paths: readonly string[], stop: StopSignal) {
  try {
    return await openPooled(paths, stop);
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    throw unreadableResults(path ?? paths.join(', '), error);
  }
}

function titleOf(sources: readonly NamedResults[]): string {
  const files = sources.flatMap(({ results }) => results.files);
  const names = new Set(files.flatMap(({ header }) => header.eval?.name ?? []));
  return names.size > 0 ? [...names].join(', ') : (sources[0]?.name ?? '');
}

async function write(request: ReportRequest) {
  try {
    return await writeReport(request);
  } catch (error) {
    throw unwritable(request.out, error);
  }
}

function unwritable(out: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(`the folder of ${out} does not exist`);
  if (code === 'EISDIR') return new UsageError(`${out} is a folder`);
  const isAboutTheFile = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR'].includes(code ?? '');
  if (isAboutTheFile) return new UsageError(`${out} cannot be written: ${message}`);
  return unreadableResults(out, error);
}

function sizeText(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1 ? `${Math.ceil(bytes / 1000)} kB` : `${megabytes.toFixed(1)} MB`;
}
