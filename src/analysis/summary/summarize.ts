import { formatTaskName } from '../../journal/task-run-events.js';
import { leftOutOf, type ReadOptions, type ResultsFile } from '../../results/results-file.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { CountTokens } from '../../tokens/with-token-counter.js';
import { BlockedCalls, DeniedCalls } from '../blocked-calls.js';
import { JudgingsFold } from '../judgings-fold.js';
import { passFigures } from '../pass-rates.js';
import { RerunsFold } from '../reruns-fold.js';
import { AmountsFold } from './amounts-fold.js';
import { boundedName } from './bounded-text.js';
import { EvaluationsFold, sourceSummary } from './evaluations.js';
import { GroupsFold } from './groups.js';
import { type SchemaTokens, schemaTokensOf } from './schema-tokens.js';
import type { Summary, TaskSummary } from './summary.js';
import { TaskFold } from './task-fold.js';
import { VariantsFold } from './variants-fold.js';

/** The files of a sample; openPooled gives one. */
export interface Sample {
  files: readonly ResultsFile[];
  taskRuns(options?: ReadOptions): AsyncIterable<{ file: ResultsFile; taskRun: TaskRunRecord }>;
}

export interface SummaryOptions {
  /** Of which tasks; without it, of all. */
  isWanted?: (task: string) => boolean;
  /** Without it, schema tokens are known only where the results tell them. */
  countTokens?: CountTokens;
}

/** Sums up results, one task run in memory at a time. */
export async function summarize(
  sample: Sample,
  { isWanted = () => true, countTokens }: SummaryOptions = {},
): Promise<Summary> {
  const fold = new SummaryFold(sample.files);
  if (countTokens) {
    for (const file of sample.files) {
      fold.setSchemaTokens(file, await schemaTokensOf(file, countTokens));
    }
  }
  for await (const { file, taskRun } of sample.taskRuns({ withoutCallResults: true })) {
    fold.add(file, taskRun, isWanted(taskRun.task));
  }
  return fold.summary;
}

class SummaryFold {
  readonly #files: readonly ResultsFile[];
  readonly #evaluations: EvaluationsFold;
  readonly #reruns: RerunsFold;
  readonly #judgings = new JudgingsFold();
  readonly #schemaTokens = new Map<ResultsFile, SchemaTokens>();
  /** By name and variant. */
  readonly #tasks = new Map<string, TaskFold>();
  readonly #groups = new GroupsFold();
  readonly #variants = new VariantsFold();
  readonly #amounts = new AmountsFold();
  readonly #blocked = new BlockedCalls();
  readonly #denied = new DeniedCalls();
  #verified = 0;
  #estimatedTokens = 0;
  #mostSchemaTokens: number | null = null;
  #schemaTokensOfRuns: number | null = null;

  constructor(files: readonly ResultsFile[]) {
    this.#files = files;
    this.#evaluations = new EvaluationsFold(files);
    this.#reruns = new RerunsFold(files);
  }

  setSchemaTokens(file: ResultsFile, tokens: SchemaTokens): void {
    this.#schemaTokens.set(file, tokens);
  }

  add(file: ResultsFile, taskRun: TaskRunRecord, isWanted: boolean): void {
    this.#evaluations.add(file, taskRun);
    if (!isWanted) return;
    this.#amounts.add(taskRun);
    if (this.#reruns.leavesOut(file, taskRun)) return;
    this.#judgings.add(file, taskRun);
    const name = boundedName(taskRun.task);
    const variant = taskRun.variant === null ? null : boundedName(taskRun.variant);
    this.#taskOf(name, variant).add(taskRun, file.path);
    this.#groups.add(name, taskRun);
    if (variant !== null) this.#variants.add(variant, name, taskRun);
    const { verified, outcome, estimate, callCounts } = taskRun;
    for (const { server, name, ...call } of taskRun.calls) {
      if (!call.blocked) continue;
      this.#blocked.see({ ...call, server: boundedName(server), name: boundedName(name) });
    }
    for (const { tool, reason } of taskRun.permissionDenials) {
      this.#denied.see(boundedName(tool), reason && boundedName(reason));
    }
    if (verified ?? outcome === 'passed') this.#verified += 1;
    this.#estimatedTokens += estimate?.tokens ?? callCounts.tokens;
    const listed = this.#schemaTokens.get(file)?.get(taskRun.variant);
    this.#addSchemaTokens(estimate?.schemaTokens ?? listed ?? null);
  }

  #taskOf(name: string, variant: string | null): TaskFold {
    const key = JSON.stringify([name, variant]);
    const task = this.#tasks.get(key) ?? new TaskFold(name, variant);
    this.#tasks.set(key, task);
    return task;
  }

  #addSchemaTokens(tokens: number | null): void {
    if (tokens === null) return;
    this.#mostSchemaTokens = Math.max(this.#mostSchemaTokens ?? 0, tokens);
    this.#schemaTokensOfRuns = (this.#schemaTokensOfRuns ?? 0) + tokens;
  }

  /** Variants of a task stand together, in the order that they have in the results. */
  #inOrder(tasks: readonly TaskSummary[]): TaskSummary[] {
    const names = [...new Set(tasks.map(({ task }) => task))];
    const places = new Map(names.map((name, index) => [name, index]));
    const variants = this.#files.flatMap(({ header }) => header.variants.map(({ name }) => name));
    const placeOf = ({ variant }: TaskSummary) =>
      variant === null ? -1 : variants.indexOf(variant);
    return tasks.toSorted(
      (a, b) => (places.get(a.task) ?? 0) - (places.get(b.task) ?? 0) || placeOf(a) - placeOf(b),
    );
  }

  get summary(): Summary {
    const tasks = this.#inOrder([...this.#tasks.values()].map((task) => task.summary));
    return {
      sources: this.#files.map(sourceSummary),
      leftOut: leftOutOf(this.#files),
      unfinished: this.#evaluations.unfinished,
      shard: this.#evaluations.shard,
      reruns: this.#reruns.summary,
      unlikeJudging: this.#judgings.unlike,
      tasks,
      totals: {
        ...totalsOf(tasks),
        notRun: this.#evaluations.notRun,
        verified: this.#verified,
        amounts: this.#amounts.amounts,
        blocked: this.#blocked.tools,
        denied: this.#denied.tools,
        estimatedTokens: this.#estimatedTokens,
        schemaTokens: this.#mostSchemaTokens,
        schemaTokensOfRuns: this.#schemaTokensOfRuns,
      },
      byDifficulty: this.#groups.byDifficulty,
      byLabel: this.#groups.byLabel,
      byVariant: this.#variants.byVariant,
    };
  }
}

function totalsOf(tasks: readonly TaskSummary[]) {
  const sum = (of: (task: TaskSummary) => number) =>
    tasks.reduce((total, task) => total + of(task), 0);
  return {
    ...passFigures(tasks),
    assertions: {
      total: sum(({ assertions }) => assertions.total),
      passed: sum(({ assertions }) => assertions.passed),
    },
    flaky: tasks.filter(({ flaky }) => flaky).map(formatTaskName),
  };
}
