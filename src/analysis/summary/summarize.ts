import { compareText } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { listLeftOut, type ReadOptions, type ResultsFile } from '../../results/results-file.js';
import { listVariantServers, type ServerRecord } from '../../results/results-header.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { CountTokens } from '../../tokens/token-counter.js';
import { BlockedCalls, DeniedCalls } from '../blocked-calls.js';
import { boundLabels, boundName } from '../bounded-text.js';
import { JudgingsFold } from '../judging-differences.js';
import { computePassFigures, makeOutcomeCounts, type OutcomeCounts } from '../pass-rates.js';
import { RerunsFold } from '../reruns.js';
import { AmountsFold } from './amounts-fold.js';
import { CompletenessFold, summarizeSource } from './completeness.js';
import type { GroupSummary, Summary, TaskSummary } from './summary.js';
import { TaskFold } from './task-fold.js';

/** Files of results as one sample, as `openPooled` returns it. */
export interface Sample {
  files: readonly ResultsFile[];
  taskRuns(options?: ReadOptions): AsyncIterable<{ file: ResultsFile; taskRun: TaskRunRecord }>;
}

export interface SummaryOptions {
  /** Selects tasks; all if it is missing. */
  isWanted?: (task: string) => boolean;
  /** Without it, schema tokens are known only if the results have them. */
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
      fold.setSchemaTokens(file, await countSchemaTokens(file, countTokens));
    }
  }
  for await (const { file, taskRun } of sample.taskRuns({ withoutCallResults: true })) {
    fold.add(file, taskRun, isWanted(taskRun.task));
  }
  return fold.summary;
}

class SummaryFold {
  readonly #files: readonly ResultsFile[];
  readonly #evaluations: CompletenessFold;
  readonly #reruns: RerunsFold;
  readonly #judgings = new JudgingsFold();
  readonly #schemaTokens = new Map<ResultsFile, SchemaTokens>();
  /** Folds by task and variant. */
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
    this.#evaluations = new CompletenessFold(files);
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
    const name = boundName(taskRun.task);
    const variant = taskRun.variant === null ? null : boundName(taskRun.variant);
    this.#taskOf(name, variant).add(taskRun, file.path);
    this.#groups.add(name, taskRun);
    if (variant !== null) this.#variants.add(variant, name, taskRun);
    const { verified, outcome, estimate, callCounts } = taskRun;
    for (const { server, name, ...call } of taskRun.calls) {
      if (!call.blocked) continue;
      this.#blocked.addCall({ ...call, server: boundName(server), name: boundName(name) });
    }
    for (const { tool, reason } of taskRun.permissionDenials) {
      this.#denied.addCall(boundName(tool), reason && boundName(reason));
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

  /** Puts the variants of a task together, in the order of the results. */
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
      sources: this.#files.map(summarizeSource),
      leftOut: listLeftOut(this.#files),
      unfinished: this.#evaluations.unfinished,
      shard: this.#evaluations.shard,
      reruns: this.#reruns.summary,
      unlikeJudging: this.#judgings.unlike,
      tasks,
      totals: {
        ...sumTasks(tasks),
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

function sumTasks(tasks: readonly TaskSummary[]) {
  const sum = (of: (task: TaskSummary) => number) =>
    tasks.reduce((total, task) => total + of(task), 0);
  return {
    ...computePassFigures(tasks),
    assertions: {
      total: sum(({ assertions }) => assertions.total),
      passed: sum(({ assertions }) => assertions.passed),
    },
    flaky: tasks.filter(({ flaky }) => flaky).map(formatTaskName),
  };
}

/** Tokens by variant, which is null without a matrix. Tokens are null if they are not known. */
type SchemaTokens = ReadonlyMap<string | null, number | null>;

/** Counts the tokens of the tools that are offered to a task run, for each variant. */
async function countSchemaTokens(
  { header }: ResultsFile,
  countTokens: CountTokens,
): Promise<SchemaTokens> {
  const byConfig = new Map<string | undefined, number | null>();
  const byVariant = new Map<string | null, number | null>();
  for (const name of [null, ...header.variants.map((variant) => variant.name)]) {
    const config = header.variants.find((variant) => variant.name === name)?.mcpConfigFile;
    if (!byConfig.has(config)) {
      byConfig.set(config, await countServerTokens(listVariantServers(header, name), countTokens));
    }
    byVariant.set(name, byConfig.get(config) ?? null);
  }
  return byVariant;
}

/** Tokens of the tools of servers; null if these are not known, or nested too deep. */
async function countServerTokens(
  servers: readonly ServerRecord[],
  countTokens: CountTokens,
): Promise<number | null> {
  const texts = servers.map(formatTools);
  if (texts.length === 0 || texts.some((tools) => tools === undefined)) return null;
  const counts = await countTokens(texts.flatMap((tools) => tools ?? []));
  return counts ? counts.reduce((sum, count) => sum + count, 0) : null;
}

function formatTools({ tools }: ServerRecord): string[] | undefined {
  try {
    return tools?.map((tool) => JSON.stringify(tool));
  } catch (error) {
    // Nested so deeply that it cannot be written.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const difficulties = ['easy', 'medium', 'hard'];

/** Groups task runs by their own difficulty and labels, as those of a task can change between files. */
class GroupsFold {
  readonly #byDifficulty = new Groups();
  readonly #byLabel = new Map<string, Groups>();

  add(task: string, { outcome, difficulty, labels }: TaskRunRecord): void {
    if (difficulty !== null) this.#byDifficulty.add(boundName(difficulty), task, outcome);
    for (const [key, value] of Object.entries(boundLabels(labels))) {
      const values = this.#byLabel.get(key) ?? new Groups();
      this.#byLabel.set(key, values);
      values.add(value, task, outcome);
    }
  }

  get byDifficulty(): Summary['byDifficulty'] {
    return this.#byDifficulty.summaries(
      (left, right) => rankDifficulty(left) - rankDifficulty(right) || compareText(left, right),
    );
  }

  get byLabel(): Summary['byLabel'] {
    const keys = [...this.#byLabel].sort(([left], [right]) => compareText(left, right));
    return Object.fromEntries(keys.map(([key, values]) => [key, values.summaries(compareText)]));
  }
}

/** Counts outcomes by the name of a group. */
class Groups {
  /** Outcomes by group and task: the runs of one task belong together. */
  readonly #outcomes = new Map<string, Map<string, OutcomeCounts>>();

  add(name: string, task: string, outcome: TaskRunRecord['outcome']): void {
    const tasks = this.#outcomes.get(name) ?? new Map<string, OutcomeCounts>();
    this.#outcomes.set(name, tasks);
    const counts = tasks.get(task) ?? makeOutcomeCounts();
    tasks.set(task, counts);
    counts[outcome] += 1;
  }

  summaries(order: (left: string, right: string) => number): Record<string, GroupSummary> {
    const groups = [...this.#outcomes].sort(([left], [right]) => order(left, right));
    return Object.fromEntries(groups.map(([name, tasks]) => [name, summarizeGroup(tasks)]));
  }
}

function summarizeGroup(tasks: ReadonlyMap<string, OutcomeCounts>): GroupSummary {
  const outcomesByTask = [...tasks].map(([task, outcomes]) => ({ task, outcomes }));
  const { taskRuns, outcomes, rate } = computePassFigures(outcomesByTask);
  return { taskRuns, outcomes, rate };
}

function rankDifficulty(difficulty: string): number {
  const place = difficulties.indexOf(difficulty);
  return place === -1 ? difficulties.length : place;
}

/** Adds up outcomes and amounts for each variant of a matrix. */
class VariantsFold {
  readonly #groups = new Groups();
  /** Amounts by variant, in the order of the matrix. */
  readonly #amounts = new Map<string, AmountsFold>();

  add(variant: string, task: string, taskRun: TaskRunRecord): void {
    this.#groups.add(variant, task, taskRun.outcome);
    const amounts = this.#amounts.get(variant) ?? new AmountsFold();
    this.#amounts.set(variant, amounts);
    amounts.add(taskRun);
  }

  get byVariant(): Summary['byVariant'] {
    const groups = new Map(Object.entries(this.#groups.summaries(() => 0)));
    const variants = [...this.#amounts].flatMap(([name, { amounts }]) => {
      const group = groups.get(name);
      return group ? [[name, { ...group, amounts }] as const] : [];
    });
    return Object.fromEntries(variants);
  }
}
