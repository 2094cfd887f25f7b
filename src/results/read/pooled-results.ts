import { ContradictingResultsError, ControlResultsError } from '../results-errors.js';
import type { ReadOptions, ResultsFile, StopSignal } from '../results-file.js';
import type { ResultsHeader } from '../results-header.js';
import { findOrigin, type TaskRunOrigin, type TaskRunRecord } from '../task-run-record.js';
import { computeContentId, findDistinctFiles, openResultsFile } from './open-results.js';

export interface PooledTaskRun {
  file: ResultsFile;
  taskRun: TaskRunRecord;
}

export interface PooledReadOptions extends ReadOptions {
  /** Reads the task runs of this file only. */
  of?: ResultsFile;
}

/** Several files of results as one sample. */
export interface PooledResults {
  files: ResultsFile[];
  /** Reads the task runs of all files; one that is in several files comes once. Throws what `openPooled` throws. */
  taskRuns(options?: PooledReadOptions): AsyncGenerator<PooledTaskRun>;
}

export interface PoolOptions {
  stop?: StopSignal | undefined;
  /** Called for each file of a control run, which is left out beside others. */
  onControl?(path: string): void;
  /** Whether control runs are opened where there is nothing else. */
  allowControl?: boolean;
}

/** Whether results are those of `check --control`, in which no agent takes part. */
export function isControl({ agent }: Pick<ResultsHeader, 'agent'>): boolean {
  return agent?.type === 'none';
}

/**
 * Opens several files as one sample. A task run that is in more than one of them, such as in the results and
 * the journal of one run, counts once, with its latest attempt. Control runs are never mixed with others: they
 * are left out. Throws ControlResultsError if there is nothing else, ContradictingResultsError, what
 * `openResultsFile` throws, and what `stop` throws.
 */
export async function openPooled(
  paths: readonly string[],
  { stop, onControl, allowControl = false }: PoolOptions = {},
): Promise<PooledResults> {
  const opened: ResultsFile[] = [];
  const distinct = await findDistinctFiles(paths);
  for (const path of distinct) {
    stop?.throwIfAborted();
    const file = await openResultsFile(path);
    opened.push(distinct.length > 1 ? await identifyFile(file) : file);
  }
  const control = opened.filter(({ header }) => isControl(header));
  const [first] = control;
  const isAllControl = control.length === opened.length;
  if (first && isAllControl && !allowControl) throw new ControlResultsError(first.path);
  if (!isAllControl) for (const { path } of control) onControl?.(path);
  const files = isAllControl ? opened : opened.filter((file) => !control.includes(file));
  const shared = await findSharedTaskRuns(files, stop);
  return { files, taskRuns: (options) => readPooledTaskRuns(files, shared, options, stop) };
}

/** Gives a file without an id the one that merging gives it, so that copies and merged results are recognised. */
async function identifyFile(file: ResultsFile): Promise<ResultsFile> {
  if (file.header.id !== null) return file;
  const id = await computeContentId(file.path);
  return { ...file, header: { ...file.header, id, evaluations: [id] } };
}

/** The record that counts of a task run that is in several files. */
interface CountedRecord {
  file: ResultsFile;
  attempt: number;
  outcome: TaskRunRecord['outcome'];
}

type SharedTaskRuns = ReadonlyMap<string, CountedRecord>;

/** Finds task runs that are in several files. Reads only files that share a run. */
async function findSharedTaskRuns(
  files: readonly ResultsFile[],
  stop?: StopSignal,
): Promise<SharedTaskRuns> {
  const counted = new Map<string, CountedRecord>();
  for (const file of findOverlappingFiles(files)) {
    for await (const taskRun of file.taskRuns({ withoutCallResults: true })) {
      stop?.throwIfAborted();
      const origin = findOrigin(file.header, taskRun);
      if (!origin) continue;
      const { attempt, outcome } = taskRun;
      const known = counted.get(makeOriginKey(origin));
      if (known?.attempt === attempt && known.outcome !== outcome) {
        const first = { path: known.file.path, outcome: known.outcome };
        throw new ContradictingResultsError(taskRun, first, { path: file.path, outcome });
      }
      if (!known || known.attempt < attempt) {
        counted.set(makeOriginKey(origin), { file, attempt, outcome });
      }
    }
  }
  return counted;
}

function findOverlappingFiles(files: readonly ResultsFile[]): ResultsFile[] {
  const timesSeen = new Map<string, number>();
  for (const id of files.flatMap(({ header }) => header.evaluations)) {
    timesSeen.set(id, (timesSeen.get(id) ?? 0) + 1);
  }
  return files.filter(({ header }) =>
    header.evaluations.some((id) => (timesSeen.get(id) ?? 0) > 1),
  );
}

async function* readPooledTaskRuns(
  files: readonly ResultsFile[],
  shared: SharedTaskRuns,
  { of, ...options }: PooledReadOptions = {},
  stop?: StopSignal,
): AsyncGenerator<PooledTaskRun> {
  for (const file of of ? [of] : files) {
    for await (const taskRun of file.taskRuns(options)) {
      stop?.throwIfAborted();
      const origin = findOrigin(file.header, taskRun);
      const counted = origin && shared.get(makeOriginKey(origin));
      if (!counted || counted.file === file) yield { file, taskRun };
    }
  }
}

function makeOriginKey({ id, task, variant, run }: TaskRunOrigin): string {
  return JSON.stringify([id, task, variant, run]);
}
