import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { displayPath } from '../../../config/yaml/data-file.js';
import { getReporterDefinition } from '../../../reporters/registry.js';
import { UsageError } from '../../exit-codes.js';
import type { EarlierResults } from '../earlier-results.js';
import { builtinOf, type ReporterRequest } from './reporter-requests.js';

/** The file that a reporter writes, if it writes one. */
export function reportFile(request: ReporterRequest, resultsPath: string): string | undefined {
  const builtin = builtinOf(request);
  const beside = builtin && getReporterDefinition(builtin).makeDefaultPath?.(resultsPath);
  return request.file ?? beside;
}

/** Whatever can be said of the files before anything runs. Throws UsageError. */
export function refuseReportFiles(
  requests: readonly ReporterRequest[],
  output: { results: string; journal: string },
  earlier: readonly EarlierResults[],
): void {
  const taken = new Map<string, string>([
    [realOf(output.results), 'the results'],
    [realOf(output.journal), 'the journal'],
  ]);
  for (const { path, option } of earlier) taken.set(realOf(resolve(path)), option);
  for (const request of requests) {
    const file = reportFile(request, output.results);
    if (file === undefined) continue;
    const refuse = (why: string) => new UsageError(`--reporter ${request.shown}: ${why}`, hint);
    if (!isFolder(dirname(file))) throw refuse(`the folder of ${displayPath(file)} does not exist`);
    if (isFolder(file)) throw refuse(`${displayPath(file)} is a folder`);
    const owner = taken.get(realOf(file));
    if (owner !== undefined) throw refuse(`${displayPath(file)} is the file of ${owner}`);
    taken.set(realOf(file), `--reporter ${request.shown}`);
  }
}

const hint = 'choose another file';

export interface WrittenFile {
  path: string;
  /** Says where it is. */
  option: string;
}

/** Everything that the check of an eval writes. */
export function writtenFiles(
  requests: readonly ReporterRequest[],
  { results, journal }: { results: string; journal: string },
): WrittenFile[] {
  const reports = requests.flatMap((request) => reportFile(request, results) ?? []);
  return [
    ...[results, journal].map((path) => ({ path, option: '--out' })),
    ...reports.map((path) => ({ path, option: '--reporter' })),
  ];
}

/** Links are followed, as far as there is something. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realOf(folder), basename(path));
  }
}

function isFolder(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
}
