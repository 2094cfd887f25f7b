import { dirname, extname, resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { isDirectory, resolveLinks } from '../../base/files.js';
import { displayPath } from '../../config/yaml/data-file.js';
import { getReporterDefinition } from '../../reporters/registry.js';
import { getBuiltinName, type ReporterRequest } from '../reporters/reporter-requests.js';
import type { NamedPath } from '../resume/suite-files.js';
import { nameResultsFile } from '../session/check-option-table.js';
import type { ResolvedOptions } from '../session/check-options.js';
import type { EvalToRun } from '../session/prepare-check.js';

/** Where the run of an eval is recorded. */
export interface OutputFiles {
  results: string;
  /** Beside the results. */
  journal: string;
}

/** An eval, and the files that its run writes. */
export interface EvalOutput {
  evalToRun: EvalToRun;
  files: OutputFiles;
  /** Results, journal and the files of reporters. */
  written: readonly NamedPath[];
}

/**
 * Decides which files each eval of a check writes. No two evals write the same one, and none overwrites what
 * another one reads. Throws UsageError.
 */
export function planOutputs(evals: readonly EvalToRun[]): EvalOutput[] {
  const outputs = evals.map((evalToRun) => {
    const { plan, options } = evalToRun;
    const files = nameOutputFiles(plan.name, options);
    refuseReportFiles(options.reporters, files, listEarlierResults(options));
    return { evalToRun, files, written: listWrittenFiles(options.reporters, files) };
  });
  const writers = new Map<string, EvalToRun>();
  for (const { evalToRun, written } of outputs) {
    for (const { path } of written) {
      const other = writers.get(resolveLinks(path));
      if (other && other !== evalToRun) throw sharedFileError(other, evalToRun, path);
      writers.set(resolveLinks(path), evalToRun);
    }
  }
  for (const { evalToRun } of outputs) {
    for (const { path, option } of listEarlierResults(evalToRun.options)) {
      if (!writers.has(resolveLinks(resolve(path)))) continue;
      throw new UsageError(
        `${option}: ${path} would be overwritten`,
        'choose other files with --out',
      );
    }
  }
  return outputs;
}

function sharedFileError(one: EvalToRun, other: EvalToRun, path: string): UsageError {
  const message = `${one.plan.file} and ${other.plan.file} would both write ${displayPath(path)}`;
  return new UsageError(message, 'give each of these evals a name of its own in metadata.name');
}

function nameOutputFiles(
  evalName: string,
  options: Pick<ResolvedOptions, 'out' | 'control' | 'rerunFailed' | 'shardDurations'>,
): OutputFiles {
  const { out, control, rerunFailed } = options;
  // A control run or a re-run must not overwrite the results of a whole run; and the glob proctor-*-out.json must
  // not match the results of control runs.
  const kind = control ? 'control' : rerunFailed === undefined ? 'out' : nameRerun(rerunFailed);
  const results = resolve(out ?? nameResultsFile(evalName, kind));
  const ending = extname(results);
  const stem = ending === '' ? results : results.slice(0, -ending.length);
  const journal = `${stem}.jsonl`;
  for (const { path, option } of listEarlierResults(options)) {
    if (![results, journal].includes(resolve(path))) continue;
    const hint = 'choose another file with --out';
    throw new UsageError(`${option}: ${path} would be overwritten`, hint);
  }
  return { results, journal };
}

/** What failed again can be run again, as the report suggests: every time has its own file. */
function nameRerun(earlier: string): string {
  const before = /-rerun(?:-(\d+))?-out\.jsonl?$/.exec(earlier);
  return before ? `rerun-${Number(before[1] ?? 1) + 1}-out` : 'rerun-out';
}

/** Results that a check reads before it runs: what it writes must not take their place. */
function listEarlierResults({
  rerunFailed,
  shardDurations,
}: Pick<ResolvedOptions, 'rerunFailed' | 'shardDurations'>): NamedPath[] {
  return [
    ...(rerunFailed === undefined ? [] : [{ path: rerunFailed, option: '--rerun-failed' }]),
    ...shardDurations.map((path) => ({ path, option: '--shard-durations' })),
  ];
}

/** The file that a reporter writes, if it writes one. */
export function findReportFile(request: ReporterRequest, resultsPath: string): string | undefined {
  const builtin = getBuiltinName(request);
  const beside = builtin && getReporterDefinition(builtin).makeDefaultPath?.(resultsPath);
  return request.file ?? beside;
}

/** Refuses files of reporters that cannot be written or are taken. Throws UsageError. */
function refuseReportFiles(
  requests: readonly ReporterRequest[],
  output: OutputFiles,
  earlier: readonly NamedPath[],
): void {
  const taken = new Map<string, string>([
    [resolveLinks(output.results), 'the results'],
    [resolveLinks(output.journal), 'the journal'],
  ]);
  for (const { path, option } of earlier) taken.set(resolveLinks(resolve(path)), option);
  for (const request of requests) {
    const file = findReportFile(request, output.results);
    if (file === undefined) continue;
    const refuse = (reason: string) =>
      new UsageError(`--reporter ${request.shown}: ${reason}`, 'choose another file');
    if (!isDirectory(dirname(file)))
      throw refuse(`the folder of ${displayPath(file)} does not exist`);
    if (isDirectory(file)) throw refuse(`${displayPath(file)} is a folder`);
    const owner = taken.get(resolveLinks(file));
    if (owner !== undefined) throw refuse(`${displayPath(file)} is the file of ${owner}`);
    taken.set(resolveLinks(file), `--reporter ${request.shown}`);
  }
}

function listWrittenFiles(
  requests: readonly ReporterRequest[],
  { results, journal }: OutputFiles,
): NamedPath[] {
  const reports = requests.flatMap((request) => findReportFile(request, results) ?? []);
  return [
    ...[results, journal].map((path) => ({ path, option: '--out' })),
    ...reports.map((path) => ({ path, option: '--reporter' })),
  ];
}
