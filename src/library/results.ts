import { basename, dirname, resolve } from 'node:path';
import type { VariantComparison } from '../analysis/compare/variant-comparison.js';
import type { ResultsDiff } from '../analysis/diff/results-diff.js';
import type { Summary } from '../analysis/summary/summary.js';
import type { Thresholds, Verification } from '../analysis/thresholds/thresholds.js';
import type { ToolsReport } from '../analysis/tools/tool-usage.js';
import { UsageError } from '../base/errors.js';
import { isDirectory, resolveLinks } from '../base/files.js';
import type { WrittenReport } from '../reporters/html/write-report.js';
import type { Merged } from '../results/merge/merge-results.js';
import type { PooledResults } from '../results/read/pooled-results.js';
import { requirePattern } from '../run/session/parse-options.js';
import { type KeysOf, refuseUnknownOptions } from './options.js';

/**
 * Results of one or several files, read as one sample: a task run that is in more than one of them counts once.
 * `taskRuns()` reads them, one in memory at a time, as often as it is called.
 */
export interface Results extends PooledResults {}

/**
 * Where results come from: the path of a file of any kind (results or a journal of Proctor, or results of mcpchecker),
 * several paths, which make one sample, or results that are open already.
 */
export type ResultsSource = string | readonly string[] | Results;

/** Selects a part of results. */
export interface SelectOptions {
  /** Only tasks whose name matches this pattern, in RE2 syntax and unanchored. */
  task?: string | undefined;
  /** Only variants of a matrix whose name matches this pattern. */
  variant?: string | undefined;
  /** Aborts reading and writing; nothing half written stays. */
  signal?: AbortSignal | undefined;
}

const selectKeys: KeysOf<SelectOptions> = { task: true, variant: true, signal: true };

/** Options of `openResults`. */
export interface OpenOptions extends SelectOptions {
  /** Also opens results of a control run, in which no agent took part. Default: they are refused. */
  allowControl?: boolean | undefined;
}

/**
 * Opens results, and selects a part of them. Results of control runs beside others are left out. Throws UsageError if a
 * file cannot be read, or nothing is selected.
 */
export async function openResults(
  source: ResultsSource,
  options: OpenOptions = {},
): Promise<Results> {
  refuseUnknownOptions(options, { ...selectKeys, allowControl: true });
  const { task, variant, signal, allowControl = false } = options;
  const tasks = task === undefined ? undefined : requirePattern('--task', task);
  const variants = variant === undefined ? undefined : requirePattern('--variant', variant);
  return explainErrors(source, async () => {
    const { openPooled } = await import('../results/read/pooled-results.js');
    const opened = isOpen(source)
      ? source
      : await openPooled(toPaths(source), { stop: signal, allowControl });
    if (!tasks && !variants) return opened;
    const { selectNamedVariants, selectTasks } = await import('../results/read/name-selection.js');
    const chosen = variants ? await selectNamedVariants(opened, variants) : opened;
    return tasks ? selectTasks(chosen, tasks) : chosen;
  });
}

/** Sums up results as `proctor summary` does: pass rates with their intervals, amounts, failures. Throws UsageError. */
export async function summarizeResults(
  source: ResultsSource,
  options: SelectOptions = {},
): Promise<Summary> {
  refuseUnknownOptions(options, selectKeys);
  const { task, ...selected } = options;
  const isWanted = makeTaskFilter(task);
  return explainErrors(source, async () => {
    const results = await openResults(source, selected);
    const { summarize } = await import('../analysis/summary/summarize.js');
    const { withTokenCounter } = await import('../tokens/token-counter.js');
    return withTokenCounter((countTokens) => summarize(results, { isWanted, countTokens }));
  });
}

/** Reports how agents used the tools of servers, as `proctor result tools` does. Throws UsageError. */
export async function summarizeTools(
  source: ResultsSource,
  options: SelectOptions = {},
): Promise<ToolsReport> {
  refuseUnknownOptions(options, selectKeys);
  const { task, ...selected } = options;
  const isWanted = makeTaskFilter(task);
  return explainErrors(source, async () => {
    const results = await openResults(source, selected);
    const { reportTools } = await import('../analysis/tools/tools-report.js');
    const { withTokenCounter } = await import('../tokens/token-counter.js');
    return withTokenCounter((countTokens) => reportTools(results, { isWanted, countTokens }));
  });
}

/** Options of `diffResults`. */
export interface DiffResultsOptions extends Omit<SelectOptions, 'task'> {
  /** Compares also different evals, agents or models, with a caveat. */
  allowDifferent?: boolean | undefined;
}

/**
 * Compares two results task by task, as `proctor diff` does: what got better or worse by more than chance. Throws
 * UsageError, also if they are not comparable.
 */
export async function diffResults(
  base: ResultsSource,
  current: ResultsSource,
  options: DiffResultsOptions = {},
): Promise<ResultsDiff> {
  refuseUnknownOptions(options, { variant: true, signal: true, allowDifferent: true });
  const { variant, signal, allowDifferent = false } = options;
  const variants = variant === undefined ? undefined : requirePattern('--variant', variant);
  return explainErrors([...listNames(base), ...listNames(current)], async () => {
    const [{ diffResults: diff }, { selectSides }] = await Promise.all([
      import('../analysis/diff/diff-results.js'),
      import('../results/read/name-selection.js'),
    ]);
    const sides = [
      await openResults(base, { signal }),
      await openResults(current, { signal }),
    ] as const;
    const [before, now] = await selectSides(sides, variants);
    return diff(before, now, { allowDifferent });
  });
}

/**
 * Ranks the variants of a matrix, or of several files, and says which differ by more than chance, as `proctor result
 * compare` does. Throws UsageError, also if they are not comparable.
 */
export async function compareVariants(
  source: ResultsSource,
  options: SelectOptions = {},
): Promise<VariantComparison> {
  refuseUnknownOptions(options, selectKeys);
  const { task, variant, signal } = options;
  const isWanted = makeTaskFilter(task);
  const variants = variant === undefined ? undefined : requirePattern('--variant', variant);
  return explainErrors(source, async () => {
    const engine = await import('../analysis/compare/compare-variants.js');
    return engine.compareVariants(await openResults(source, { signal }), {
      isWanted,
      isWantedVariant: (name) => variants?.test(name) !== false,
    });
  });
}

/**
 * Limits that results have to meet. At least one is needed. `proctor verify` has them as options. `task` is the least
 * pass rate of all task runs together, such as 0.8; it does not select a task.
 */
export interface ThresholdOptions extends Omit<Thresholds, 'passHatK'> {
  /** The least chance that k runs of a task in a row pass: `[{ k: 3, rate: 0.6 }]`. */
  passHatK?: Thresholds['passHatK'];
}

const thresholdKeys: KeysOf<ThresholdOptions> = {
  task: true,
  assertion: true,
  passHatK: true,
  maxCost: true,
  maxTokens: true,
  maxErrors: true,
  confidence: true,
};

/** Options of `verifyResults`. */
export interface VerifyOptions extends Omit<SelectOptions, 'task'> {
  /** Takes results of a run that did not do all of its plan. */
  allowUnfinished?: boolean | undefined;
}

/**
 * Checks results against thresholds, as `proctor verify` does. What is missing or not known does not pass. Throws
 * UsageError.
 */
export async function verifyResults(
  source: ResultsSource,
  thresholds: ThresholdOptions,
  options: VerifyOptions = {},
): Promise<Verification> {
  refuseUnknownOptions(thresholds, thresholdKeys);
  refuseUnknownOptions(options, { variant: true, signal: true, allowUnfinished: true });
  const { allowUnfinished = false, ...selected } = options;
  const { parseThresholds } = await import('../analysis/thresholds/parse-thresholds.js');
  const parsed = parseThresholds({ ...thresholds });
  const summary = await summarizeResults(source, selected);
  const { refuseUnlikeFiles, verifySummary } = await import(
    '../analysis/thresholds/verify-summary.js'
  );
  refuseUnlikeFiles(summary);
  return verifySummary(summary, parsed, { allowUnfinished });
}

/** Options of `mergeResults`. */
export interface MergeOptions {
  /** Merges also results that are not alike, with a caveat. */
  force?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Merges files of results into one, as `proctor result merge` does, such as those of shards. The file appears complete,
 * or not at all. Throws UsageError.
 */
export async function mergeResults(
  paths: readonly string[],
  out: string,
  options: MergeOptions = {},
): Promise<Merged> {
  refuseUnknownOptions(options, { force: true, signal: true });
  const { force = false, signal } = options;
  await checkOutput(paths, out);
  return explainErrors(paths, async () => {
    const { mergeResults: merge } = await import('../results/merge/merge-results.js');
    return merge(paths, out, { force, ...(signal && { stop: signal }) });
  });
}

/** The formats that results can be converted to. */
export type ConvertFormat = 'junit' | 'markdown' | 'mcpchecker' | 'csv';

/**
 * Converts results to another format, as `proctor result convert` does. Yields the text piece by piece; `writeFile` of
 * `node:fs/promises` takes it as it is. Throws UsageError.
 */
export async function* convertResults(
  source: ResultsSource,
  format: ConvertFormat,
  options: SelectOptions = {},
): AsyncGenerator<string> {
  refuseUnknownOptions(options, selectKeys);
  const { converters } = await import('../reporters/registry.js');
  const convert = await converters.get(format)?.();
  if (!convert) {
    const expected = `expected ${[...converters.keys()].join(', ')}`;
    throw new UsageError(`unknown format ${JSON.stringify(format)}`, expected);
  }
  const results = await openResults(source, options);
  try {
    for await (const piece of convert(results)) {
      options.signal?.throwIfAborted();
      yield piece;
    }
  } catch (error) {
    throw await explainError(source, error);
  }
}

/** Options of `writeReport`. */
export interface ReportOptions {
  /** Title of the page. Default: the name of the eval. */
  title?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Writes the HTML report of results to a file, as `proctor report` does. Of several sources, each is compared with the
 * first one; a list of paths in the list is one source. The file appears complete, or not at all. Throws UsageError.
 */
export async function writeReport(
  sources: string | Results | readonly ResultsSource[],
  out: string,
  options: ReportOptions = {},
): Promise<WrittenReport> {
  refuseUnknownOptions(options, { title: true, signal: true });
  const { title, signal } = options;
  const all: readonly ResultsSource[] = isList(sources) ? sources : [sources];
  const names = all.flatMap(listNames);
  await checkOutput(all.flatMap(listPaths), out);
  return explainErrors(names, async () => {
    const { writeReport: write } = await import('../reporters/html/write-report.js');
    const opened: { name: string; results: Results }[] = [];
    for (const source of all) {
      const name = listNames(source)
        .map((path) => basename(path))
        .join(' + ');
      opened.push({ name, results: await openResults(source, { signal }) });
    }
    const files = opened.flatMap(({ results }) => results.files);
    const evals = new Set(files.flatMap(({ header }) => header.eval?.name ?? []));
    const defaultTitle = evals.size > 0 ? [...evals].join(', ') : (opened[0]?.name ?? '');
    return write({ sources: opened, title: title ?? defaultTitle, out: resolve(out) });
  });
}

function isOpen(source: ResultsSource): source is Results {
  return typeof source === 'object' && 'taskRuns' in source;
}

function isList(
  sources: string | Results | readonly ResultsSource[],
): sources is readonly ResultsSource[] {
  return Array.isArray(sources);
}

function toPaths(source: string | readonly string[]): readonly string[] {
  const paths = typeof source === 'string' ? [source] : source;
  if (paths.length > 0 && !paths.includes('')) return paths;
  throw new UsageError('there are no results to read', 'name a file');
}

/** Paths of results that are files. */
function listPaths(source: ResultsSource): string[] {
  if (!isOpen(source)) return [...toPaths(source)];
  return source.files.filter(({ isInMemory }) => !isInMemory).map(({ path }) => path);
}

/** Paths of results, or the names of those in memory, for messages. */
function listNames(source: ResultsSource): string[] {
  if (isOpen(source)) return source.files.map(({ path }) => path);
  return [...toPaths(source)];
}

function makeTaskFilter(task: string | undefined): (name: string) => boolean {
  const pattern = task === undefined ? undefined : requirePattern('--task', task);
  return (name) => pattern?.test(name) !== false;
}

/** Refuses a file that cannot be written, or that is one of those which are read. Throws UsageError. */
async function checkOutput(paths: readonly string[], out: string): Promise<void> {
  const target = resolveLinks(resolve(out));
  if (out === '') throw new UsageError('there is no file to write to');
  if (isDirectory(target)) throw new UsageError(`${out} is a folder`);
  if (!isDirectory(dirname(target))) throw new UsageError(`the folder of ${out} does not exist`);
  const own = paths.find((path) => resolveLinks(resolve(path)) === target);
  if (own !== undefined) throw new UsageError(`${own} would be overwritten`, 'name another file');
}

/** Throws what went wrong with files as a UsageError, with a next step. */
async function explainErrors<Value>(
  source: ResultsSource,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw await explainError(source, error);
  }
}

async function explainError(source: ResultsSource, error: unknown): Promise<unknown> {
  if (error instanceof UsageError) return error;
  const [{ explainUnreadableResults }, { NotComparableError }, { UnlikeResultsError }] =
    await Promise.all([
      import('../results/read/unreadable-results.js'),
      import('../analysis/diff/comparability.js'),
      import('../results/merge/merge-conflicts.js'),
    ]);
  if (error instanceof NotComparableError) return new UsageError(error.message, error.hint);
  if (error instanceof UnlikeResultsError) {
    return new UsageError(error.message, 'diff them, or merge them all the same with force');
  }
  const { path } = error as NodeJS.ErrnoException;
  return explainUnreadableResults(path ?? listNames(source).join(', '), error);
}
