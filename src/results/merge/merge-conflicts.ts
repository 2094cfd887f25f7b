import { jsonDigest } from '../../events/json-digest.js';
import { taskInWords } from '../../events/task-run-key.js';
import { describeJudgingChanges, Judgings } from '../judging.js';
import { listShards } from '../read/header-parser.js';
import type { ShardRecord } from '../results-header.js';
import type { ResultsSource } from '../schema/results-schema.js';
import { describeShardCut, findMissingShards } from '../shards.js';
import type { MergeInput, MergeServer } from './merge-input.js';

/** These results are of different things, so they are no sample of one. */
export class UnlikeResultsError extends Error {
  readonly code = 'unlike-results';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`these results are of different things: ${reasons.join('; ')}`);
    this.name = 'UnlikeResults';
    this.reasons = reasons;
  }
}

/** Why inputs cannot be told apart any more once they are one: that is no matter of opinion. */
export function findHardConflicts(inputs: readonly MergeInput[]): string[] {
  const hasMatrix = (input: MergeInput) => input.sources.some(({ variants }) => variants);
  const matrix = inputs.find(hasMatrix);
  const plain = inputs.find(({ sources }) => sources.some(({ variants }) => !variants));
  if (!matrix || !plain) return [];
  return [`${matrix.file.path} is of a matrix, and ${plain.file.path} is not`];
}

/** Why inputs do not belong together. What one of them does not tell is no reason. */
export function findConflicts(inputs: readonly MergeInput[]): string[] {
  const told = inputs.flatMap(({ file, sources }) =>
    sources.map((source) => ({ path: file.path, source })),
  );
  const valuesOf = (read: (source: ResultsSource) => string | undefined) =>
    told.map(({ path, source }) => ({ path, value: read(source) }));
  return [
    ...describeDifference(
      'the eval',
      valuesOf((source) => source.eval?.name),
    ),
    ...describeDifference(
      'the agent',
      valuesOf((source) => source.agent?.name),
    ),
    ...describeDifference(
      'the model',
      valuesOf((source) => source.agent?.model),
    ),
    ...findOtherSettings(told),
    ...findRedefinedVariants(told),
    ...findRedefinedTools(inputs),
    ...findDifferentJudging(inputs),
    ...findOverlappingShards(inputs),
    ...findDifferentCuts(inputs),
  ];
}

/** Known by digests only, which tell a reader nothing. */
function findOtherSettings(told: readonly { path: string; source: ResultsSource }[]): string[] {
  const byAgent = new Map<string, FileValue[]>();
  for (const { path, source } of told) {
    const variants = (source.variants ?? []).map(({ name, agent }) => ({
      title: `the agent of the variant ${name}`,
      agent,
    }));
    for (const { title, agent } of [{ title: 'the agent', agent: source.agent }, ...variants]) {
      byAgent.set(title, [...(byAgent.get(title) ?? []), { path, value: agent?.settings }]);
    }
  }
  return [...byAgent].flatMap(([title, values]) => {
    const pair = findDifferingPair(values);
    if (!pair) return [];
    return [`${title} has other settings or skills in ${pair[1].path} than in ${pair[0].path}`];
  });
}

function findRedefinedVariants(told: readonly { path: string; source: ResultsSource }[]): string[] {
  const byName = new Map<string, FileValue[]>();
  for (const { path, source } of told) {
    for (const { name, agent, mcpConfigFile = '' } of source.variants ?? []) {
      const value = [agent.name, agent.model ?? '', mcpConfigFile].filter(Boolean).join(', ');
      byName.set(name, [...(byName.get(name) ?? []), { path, value }]);
    }
  }
  return [...byName].flatMap(([name, values]) => describeDifference(`the variant ${name}`, values));
}

/** More tasks nobody reads. */
const maxTasks = 5;

/** A task that was edited in between: its rate would be one of two different things. */
function findDifferentJudging(inputs: readonly MergeInput[]): string[] {
  const tasks = [...new Set(inputs.flatMap(({ judgings }) => [...judgings.keys()]))].sort();
  const reasons = tasks.flatMap((task) => {
    const told = inputs.flatMap(({ file, judgings }) => {
      const own = judgings.get(task);
      return own && own.known.length > 0 ? [{ path: file.path, own }] : [];
    });
    const [one, ...others] = told;
    if (!one) return [];
    const other = others.find(({ own }) => Judgings.changes(one.own, own).length > 0);
    if (!other) return [];
    const what = describeJudgingChanges(Judgings.changes(one.own, other.own));
    return [`${task} is judged differently in ${other.path} than in ${one.path}: ${what}`];
  });
  const rest = reasons.length - maxTasks;
  return rest > 0
    ? [...reasons.slice(0, maxTasks), `${rest} more tasks are judged differently`]
    : reasons;
}

interface FileValue {
  path: string;
  value: string | undefined;
}

function describeDifference(what: string, values: readonly FileValue[]): string[] {
  const pair = findDifferingPair(values);
  if (!pair) return [];
  const [one, other] = pair;
  return [`${what} is ${one.value} in ${one.path}, and ${other.value} in ${other.path}`];
}

function findRedefinedTools(inputs: readonly MergeInput[]): string[] {
  const byServer = new Map<string, FileValue[]>();
  for (const { file, servers } of inputs) {
    for (const server of servers) {
      const { name, mcpConfigFile } = server;
      const shown = mcpConfigFile === undefined ? name : `${name} of ${mcpConfigFile}`;
      const told = byServer.get(shown) ?? [];
      byServer.set(shown, told);
      told.push({ path: file.path, value: computeToolsDigest(server) });
    }
  }
  return [...byServer].flatMap(([server, told]) => {
    const pair = findDifferingPair(told);
    if (!pair) return [];
    return [`${server} offers other tools in ${pair[0].path} than in ${pair[1].path}`];
  });
}

/** The same for the same tools, in whatever order they and their members are written. */
function computeToolsDigest({ json }: MergeServer): string | undefined {
  const { tools }: { tools?: unknown[] } = JSON.parse(json);
  return tools && jsonDigest(tools.map(jsonDigest).sort());
}

function findDifferingPair(values: readonly FileValue[]): [FileValue, FileValue] | undefined {
  const told = values.filter(({ value }) => value !== undefined);
  const [one] = told;
  const other = told.find(({ value }) => value !== one?.value);
  return one && other ? [one, other] : undefined;
}

/**
 * Why shards do not belong together although there are as many as one plan has: they were cut by
 * different durations. Where every cut is there as a whole, such as those of two nights, all is well.
 */
function findDifferentCuts(inputs: readonly MergeInput[]): string[] {
  const told = inputs.flatMap(({ file, sources }) =>
    listShards(sources).map((shard) => ({ path: file.path, shard })),
  );
  const pathOf = (of: number, cutBy: string | null) =>
    told.find(({ shard }) => shard.of === of && shard.cutBy === cutBy)?.path;
  const seen = new Map<number, string | null>();
  for (const { of, cutBy } of findMissingShards(told.map(({ shard }) => shard))) {
    if (cutBy === undefined) continue;
    const known = seen.get(of);
    if (known === undefined) {
      seen.set(of, cutBy);
      continue;
    }
    const [one, other] = [known, cutBy].map((by) => `${describeShardCut(by)} in ${pathOf(of, by)}`);
    return [
      `the ${of} shards were cut ${one}, and ${other}, so that task runs are missing or there twice`,
    ];
  }
  return [];
}

/**
 * Why shards do not belong together: different ones of a plan never have the same task run, so two that
 * do were cut from different plans, and others of its task runs may be nowhere.
 */
function findOverlappingShards(inputs: readonly MergeInput[]): string[] {
  const shards = new Map(
    inputs.flatMap(({ sources }) => listShards(sources)).map((each) => [each.evaluation, each]),
  );
  const owners = new Map<string, ShardRecord>();
  for (const { from, summary } of inputs.flatMap(({ taskRuns }) => taskRuns)) {
    const shard = shards.get(from.id);
    if (!shard) continue;
    const { task, variant } = summary;
    const key = JSON.stringify([shard.of, shard.cutBy, task, variant, from.run]);
    const known = owners.get(key);
    if (known && known.index !== shard.index) {
      const both = [known, shard].map(({ index, of }) => `${index}/${of}`).sort();
      const which = `run ${from.run} of ${taskInWords({ task, variant })}`;
      return [`${which} is in shard ${both.join(' and in shard ')}: their plans were not the same`];
    }
    owners.set(key, shard);
  }
  return [];
}
