import type { SpentBudget } from '../../journal/run-events.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { ResultsHeader } from '../../results/results-header.js';
import { findMissingShards } from '../../results/shards.js';
import { findOrigin, type TaskRunRecord } from '../../results/task-run-record.js';
import type { SourceSummary, Summary, UnfinishedRun, UnfinishedSummary } from './summary.js';

export function summarizeSource({
  path,
  header,
}: Pick<ResultsFile, 'path' | 'header'>): SourceSummary {
  const { kind, agent, variants, judge, startedAt, finished, planned, open } = header;
  const { interrupted, bailed, budget } = header;
  const state = { startedAt, finished, interrupted, bailed, budget, planned, open: open.length };
  const again = header.rechecked && { rechecked: header.rechecked };
  return {
    path,
    kind,
    eval: header.eval?.name ?? null,
    ...again,
    agent,
    variants,
    judge,
    ...state,
  };
}

interface Counts {
  taskRuns: number;
  cancelled: number;
  /** Number of task runs whose verdict cannot be read. */
  unreadable: number;
}

/** Finds out which runs are incomplete: each run counts once, whichever files it is in. */
export class CompletenessFold {
  /** Files without those that another one covers, such as an older copy, or a journal beside its results. */
  readonly #files: readonly ResultsFile[];
  /** Counts by the id of the run, or by the file if there is none. */
  readonly #counts = new Map<string | ResultsFile, Counts>();

  constructor(files: readonly ResultsFile[]) {
    this.#files = files.filter(
      (file, index) => !files.some((other, place) => covers(other, file, place < index)),
    );
  }

  add(file: ResultsFile, taskRun: TaskRunRecord): void {
    const key = findOrigin(file.header, taskRun)?.id ?? file;
    const counts = this.#counts.get(key) ?? { taskRuns: 0, cancelled: 0, unreadable: 0 };
    this.#counts.set(key, counts);
    counts.taskRuns += 1;
    if (taskRun.outcome === 'cancelled') counts.cancelled += 1;
    const isError = taskRun.outcome === 'error';
    if (isError && taskRun.failure?.category === 'unknown') counts.unreadable += 1;
  }

  /** Number of planned task runs without a record. */
  get notRun(): number {
    return this.#files.reduce((sum, file) => sum + countNotRun(file, this.#countsOf(file)), 0);
  }

  /** Budgets that were reached, so that task runs were left out. */
  get budgets(): SpentBudget[] {
    return this.unfinished.flatMap((run) =>
      run.why === 'budget' && run.budget ? [run.budget] : [],
    );
  }

  /** Runs that did not do all of their plan, and missing shards. */
  get unfinished(): UnfinishedSummary[] {
    const evaluations = this.#files.flatMap((file): UnfinishedRun[] => {
      const counts = this.#countsOf(file);
      const why = explainIncompleteness(file, counts);
      if (why === undefined) return [];
      const done = counts.taskRuns - counts.cancelled - counts.unreadable;
      const { budget } = file.header;
      const planned = countPlanned(file, counts);
      return [
        { path: file.path, why, done, planned, ...(why === 'budget' && budget && { budget }) },
      ];
    });
    if (this.shard) return evaluations;
    const shards = this.#files.flatMap(({ header }) => header.shards);
    const missing = findMissingShards(shards).map((shards) => ({
      why: 'shards' as const,
      ...shards,
    }));
    return [...evaluations, ...missing];
  }

  /** The shard, if there is only one file and it is a shard; merged results have to be complete. */
  get shard(): Summary['shard'] {
    const [first, ...others] = this.#files;
    if (!first || others.length > 0 || first.header.merged) return null;
    const [shard] = first.header.shards;
    return shard && shard.of > 1 ? { index: shard.index, of: shard.of } : null;
  }

  #countsOf(file: ResultsFile): Counts {
    const { evaluations } = file.header;
    const keys = evaluations.length > 0 ? evaluations : [file];
    const counts = keys.flatMap((key) => this.#counts.get(key) ?? []);
    return {
      taskRuns: counts.reduce((sum, { taskRuns }) => sum + taskRuns, 0),
      cancelled: counts.reduce((sum, { cancelled }) => sum + cancelled, 0),
      unreadable: counts.reduce((sum, { unreadable }) => sum + unreadable, 0),
    };
  }
}

function covers(other: ResultsFile, file: ResultsFile, comesBefore: boolean): boolean {
  if (other === file || file.header.evaluations.length === 0) return false;
  const known = new Set(other.header.evaluations);
  if (!file.header.evaluations.every((id) => known.has(id))) return false;
  const ahead = rankProgress(other.header) - rankProgress(file.header);
  return ahead > 0 || (ahead === 0 && (comesBefore || known.size > file.header.evaluations.length));
}

function rankProgress({ finished, interrupted, budget }: ResultsHeader): number {
  if (!finished) return 0;
  return interrupted || budget ? 1 : 2;
}

/** Number of planned task runs. Those that cannot be read count, whatever the results say of the plan. */
function countPlanned(
  { header, lostTaskRuns }: ResultsFile,
  { taskRuns, unreadable }: Counts,
): number | null {
  const lost = lostTaskRuns?.() ?? 0;
  if (lost + unreadable === 0) return header.planned;
  return Math.max(header.planned ?? 0, taskRuns + lost);
}

function countNotRun(file: ResultsFile, counts: Counts): number {
  return Math.max(0, (countPlanned(file, counts) ?? 0) - counts.taskRuns);
}

function explainIncompleteness(
  file: ResultsFile,
  counts: Counts,
): UnfinishedRun['why'] | undefined {
  const { finished, interrupted, bailed, budget } = file.header;
  if (!finished) return 'running';
  if (interrupted) return 'interrupted';
  if (countNotRun(file, counts) === 0 && counts.cancelled === 0) {
    return counts.unreadable > 0 ? 'unreadable' : undefined;
  }
  if (bailed) return 'bailed';
  return budget ? 'budget' : 'incomplete';
}
