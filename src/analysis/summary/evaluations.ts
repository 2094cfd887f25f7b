import type { SpentBudget } from '../../journal/run-events.js';
import { missingShards } from '../../results/missing-shards.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { ResultsHeader } from '../../results/results-header.js';
import { originOf } from '../../results/task-run-origin.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { SourceSummary, Summary, UnfinishedEvaluation, UnfinishedSummary } from './summary.js';

export function sourceSummary({
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
  /** No verdict of theirs can be read, and the reason is none that is known. */
  unreadable: number;
}

/** What there is of each evaluation, whichever file tells it. */
export class EvaluationsFold {
  /** Those that know most: an older copy, or a journal beside its results, says nothing more. */
  readonly #files: readonly ResultsFile[];
  /** By the id of the evaluation, or the file where there is none. */
  readonly #counts = new Map<string | ResultsFile, Counts>();

  constructor(files: readonly ResultsFile[]) {
    this.#files = files.filter(
      (file, index) => !files.some((other, place) => covers(other, file, place < index)),
    );
  }

  add(file: ResultsFile, taskRun: TaskRunRecord): void {
    const key = originOf(file.header, taskRun)?.id ?? file;
    const counts = this.#counts.get(key) ?? { taskRuns: 0, cancelled: 0, unreadable: 0 };
    this.#counts.set(key, counts);
    counts.taskRuns += 1;
    if (taskRun.outcome === 'cancelled') counts.cancelled += 1;
    const isError = taskRun.outcome === 'error';
    if (isError && taskRun.failure?.category === 'unknown') counts.unreadable += 1;
  }

  /** Task runs that were planned, and that nothing is known of. */
  get notRun(): number {
    return this.#files.reduce((sum, file) => sum + notRunOf(file, this.#countsOf(file)), 0);
  }

  /** Those that left task runs out. */
  get budgets(): SpentBudget[] {
    return this.unfinished.flatMap((each) =>
      each.why === 'budget' && each.budget ? [each.budget] : [],
    );
  }

  /** Those that did not do all they were to do. */
  get unfinished(): UnfinishedSummary[] {
    const evaluations = this.#files.flatMap((file): UnfinishedEvaluation[] => {
      const counts = this.#countsOf(file);
      const why = whyUnfinished(file, counts);
      if (why === undefined) return [];
      const done = counts.taskRuns - counts.cancelled - counts.unreadable;
      const { budget } = file.header;
      const planned = plannedOf(file, counts);
      return [
        { path: file.path, why, done, planned, ...(why === 'budget' && budget && { budget }) },
      ];
    });
    if (this.shard) return evaluations;
    const shards = this.#files.flatMap(({ header }) => header.shards);
    const missing = missingShards(shards).map((each) => ({ why: 'shards' as const, ...each }));
    return [...evaluations, ...missing];
  }

  /** Its own job may look at it alone; what was put together is to be the whole. */
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
  const ahead = progressOf(other.header) - progressOf(file.header);
  return ahead > 0 || (ahead === 0 && (comesBefore || known.size > file.header.evaluations.length));
}

function progressOf({ finished, interrupted, budget }: ResultsHeader): number {
  if (!finished) return 0;
  return interrupted || budget ? 1 : 2;
}

/** Whatever the results say of how many there were to be, those that cannot be read are missing. */
function plannedOf(
  { header, lostTaskRuns }: ResultsFile,
  { taskRuns, unreadable }: Counts,
): number | null {
  const lost = lostTaskRuns?.() ?? 0;
  if (lost + unreadable === 0) return header.planned;
  return Math.max(header.planned ?? 0, taskRuns + lost);
}

function notRunOf(file: ResultsFile, counts: Counts): number {
  return Math.max(0, (plannedOf(file, counts) ?? 0) - counts.taskRuns);
}

function whyUnfinished(file: ResultsFile, counts: Counts): UnfinishedEvaluation['why'] | undefined {
  const { finished, interrupted, bailed, budget } = file.header;
  if (!finished) return 'running';
  if (interrupted) return 'interrupted';
  if (notRunOf(file, counts) === 0 && counts.cancelled === 0) {
    return counts.unreadable > 0 ? 'unreadable' : undefined;
  }
  if (bailed) return 'bailed';
  return budget ? 'budget' : 'incomplete';
}
