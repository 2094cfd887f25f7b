import type { ReportIndex, ReportSet } from '../../report-data/report-data.js';
import { groupBy } from '../data/collections.js';

export type SearchedIndex = Pick<
  ReportIndex,
  'tasks' | 'servers' | 'tools' | 'taskRuns' | 'recorded'
> & {
  sources: readonly string[];
  sets: readonly Pick<ReportSet, 'name' | 'source' | 'variant'>[];
};

/** An index of the report for filters and sorting, made once. */
export interface Searchable {
  index: SearchedIndex;
  count: number;
  /** Variants of the matrices; empty: there is no matrix. */
  variants: string[];
  /** By task run: task, variant and message, in lower case. */
  texts: string[];
  /** By task: its rank in the order of names. */
  taskRanks: number[];
  /** By task: `key=value` of its labels. */
  taskLabels: Set<string>[];
  /** By tool: its server; `toolNames`: `server/name`. */
  toolServers: string[];
  toolNames: string[];
  /** By task run: its turn, which is its rank among the runs of its task and set, from 0. */
  turns: number[];
  /** The most runs that a task has in a set. */
  mostTurns: number;
  /** Amounts that at least one task run reports. */
  reported: { duration: boolean; tokens: boolean; cost: boolean };
}

export function makeSearchable(index: SearchedIndex): Searchable {
  const { set, task, message, category } = index.taskRuns;
  const { durationMs, inputTokens, outputTokens, cost } = index.taskRuns;
  const names = index.tasks.map(({ name }) => name.toLowerCase());
  const variants = index.sets.map(({ variant }) => variant ?? '');
  const turns = findTurns(index);
  return {
    index,
    count: task.length,
    texts: task.map((number, row) =>
      [names[number], variants[set[row] ?? -1] ?? '', category[row] ?? '', message[row] ?? '']
        .join('\n')
        .toLowerCase(),
    ),
    variants: [...new Set(index.sets.flatMap(({ variant }) => variant ?? []))],
    taskRanks: rankNames(index.tasks.map(({ name }) => name)),
    taskLabels: index.tasks.map(
      ({ labels }) => new Set(Object.entries(labels).map(([key, value]) => `${key}=${value}`)),
    ),
    toolServers: index.tools.map(({ server }) => index.servers[server] ?? ''),
    toolNames: index.tools.map(({ server, name }) => `${index.servers[server] ?? ''}/${name}`),
    turns,
    mostTurns: turns.reduce((most, turn) => Math.max(most, turn + 1), 0),
    reported: {
      duration: hasValue(durationMs),
      tokens: hasValue(inputTokens) || hasValue(outputTokens),
      cost: hasValue(cost),
    },
  };
}

function hasValue(column: readonly (number | null)[]): boolean {
  return column.some((value) => value !== null);
}

/** Ranks names in numeric order: `task-10` comes after `task-9`. */
function rankNames(names: readonly string[]): number[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const order = names.map((_, place) => place);
  order.sort((one, other) => compare(names[one] ?? '', names[other] ?? ''));
  const ranks = new Array<number>(names.length).fill(0);
  for (const [rank, place] of order.entries()) ranks[place] = rank;
  return ranks;
}

/**
 * Numbers the runs of each task and set. The run's own number will not do: pooled files can each
 * have a run 1.
 */
function findTurns({ taskRuns: { set, task, run } }: SearchedIndex): number[] {
  const groups = groupBy(set.keys(), (row) => `${set[row]}/${task[row]}`);
  const turns = new Array<number>(set.length).fill(0);
  for (const group of groups.values()) {
    group.sort((one, other) => (run[one] ?? 0) - (run[other] ?? 0));
    for (const [turn, row] of group.entries()) turns[row] = turn;
  }
  return turns;
}

/** Tokens of the agent's model, in and out; null: not reported. */
export function sumTokens({ index }: Searchable, row: number): number | null {
  const input = index.taskRuns.inputTokens[row] ?? null;
  const output = index.taskRuns.outputTokens[row] ?? null;
  return input === null && output === null ? null : (input ?? 0) + (output ?? 0);
}
