import { distinctFiles } from './distinct-files.js';
import { contentId } from './mcpchecker/content-id.js';
import { openResults } from './open-results.js';
import { ContradictingResults, ControlResults } from './results-errors.js';
import type { ReadOptions, ResultsFile } from './results-file.js';
import type { ResultsHeader } from './results-header.js';
import type { StopSignal } from './stop-signal.js';
import { originOf, type TaskRunOrigin } from './task-run-origin.js';
import type { TaskRunRecord } from './task-run-record.js';

export interface PooledTaskRun {
  file: ResultsFile;
  taskRun: TaskRunRecord;
}

export interface PooledReadOptions extends ReadOptions {
  /** Those that this one of the files tells. */
  of?: ResultsFile;
}

/** Several files of results as one sample. */
export interface PooledResults {
  files: ResultsFile[];
  /** What several files tell comes once. Throws what `openPooled` throws. */
  taskRuns(options?: PooledReadOptions): AsyncGenerator<PooledTaskRun>;
}

export interface PoolOptions {
  stop?: StopSignal | undefined;
  /** Called for each file of a control run, which is left out beside others. */
  onControl?(path: string): void;
  /** Whether control runs are opened where there is nothing else. */
  allowsControl?: boolean;
}

/** Whether results are those of `check --control`, in which no agent takes part. */
export function isControl({ agent }: Pick<ResultsHeader, 'agent'>): boolean {
  return agent?.type === 'none';
}

/**
 * Opens several files as one sample. A task run that more than one of them tells, such as the results
 * and the journal of one evaluation, counts once: in its latest attempt. Control runs are never mixed
 * with others: they are left out. Throws ControlResults where there is nothing else,
 * ContradictingResults, what `openResults` throws, and what `stop` throws.
 */
export async function openPooled(
  paths: readonly string[],
  { stop, onControl, allowsControl = false }: PoolOptions = {},
): Promise<PooledResults> {
  const opened: ResultsFile[] = [];
  const distinct = await distinctFiles(paths);
  for (const path of distinct) {
    stop?.throwIfAborted();
    const file = await openResults(path);
    opened.push(distinct.length > 1 ? await identified(file) : file);
  }
  const control = opened.filter(({ header }) => isControl(header));
  const [first] = control;
  const isNothingElse = control.length === opened.length;
  if (first && isNothingElse && !allowsControl) throw new ControlResults(first.path);
  if (!isNothingElse) for (const { path } of control) onControl?.(path);
  const files = isNothingElse ? opened : opened.filter((file) => !control.includes(file));
  const shared = await sharedTaskRuns(files, stop);
  return { files, taskRuns: (options) => pooledTaskRuns(files, shared, options, stop) };
}

/** By the id that merging gives it too, so that a copy, or what it was merged into, is known as one. */
async function identified(file: ResultsFile): Promise<ResultsFile> {
  if (file.header.id !== null) return file;
  const id = await contentId(file.path);
  return { ...file, header: { ...file.header, id, evaluations: [id] } };
}

/** Which file tells a task run that several may tell, and in which attempt. */
interface Teller {
  file: ResultsFile;
  attempt: number;
  outcome: TaskRunRecord['outcome'];
}

type SharedTaskRuns = ReadonlyMap<string, Teller>;

/** Only where files are of the same evaluation it takes a look at their task runs. */
async function sharedTaskRuns(
  files: readonly ResultsFile[],
  stop?: StopSignal,
): Promise<SharedTaskRuns> {
  const tellers = new Map<string, Teller>();
  for (const file of filesThatShare(files)) {
    for await (const taskRun of file.taskRuns({ withoutCallResults: true })) {
      stop?.throwIfAborted();
      const origin = originOf(file.header, taskRun);
      if (!origin) continue;
      const { attempt, outcome } = taskRun;
      const known = tellers.get(keyOf(origin));
      if (known?.attempt === attempt && known.outcome !== outcome) {
        const told = { path: known.file.path, outcome: known.outcome };
        throw new ContradictingResults(taskRun, told, { path: file.path, outcome });
      }
      if (!known || known.attempt < attempt) {
        tellers.set(keyOf(origin), { file, attempt, outcome });
      }
    }
  }
  return tellers;
}

function filesThatShare(files: readonly ResultsFile[]): ResultsFile[] {
  const timesSeen = new Map<string, number>();
  for (const id of files.flatMap(({ header }) => header.evaluations)) {
    timesSeen.set(id, (timesSeen.get(id) ?? 0) + 1);
  }
  return files.filter(({ header }) =>
    header.evaluations.some((id) => (timesSeen.get(id) ?? 0) > 1),
  );
}

async function* pooledTaskRuns(
  files: readonly ResultsFile[],
  shared: SharedTaskRuns,
  { of, ...options }: PooledReadOptions = {},
  stop?: StopSignal,
): AsyncGenerator<PooledTaskRun> {
  for (const file of of ? [of] : files) {
    for await (const taskRun of file.taskRuns(options)) {
      stop?.throwIfAborted();
      const origin = originOf(file.header, taskRun);
      const teller = origin && shared.get(keyOf(origin));
      if (!teller || teller.file === file) yield { file, taskRun };
    }
  }
}

function keyOf({ id, task, variant, run }: TaskRunOrigin): string {
  return JSON.stringify([id, task, variant, run]);
}
