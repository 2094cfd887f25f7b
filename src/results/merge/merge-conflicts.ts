import { digestJson } from '../../base/json-digest.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { describeJudgingChanges, Judgings } from '../judging.js';
import { listShards } from '../read/header-parser.js';
import type { ShardRecord } from '../results-header.js';
import type { ResultsSource } from '../schema/results-schema.js';
import { describeShardCut, findMissingShards } from '../shards.js';
import type { MergeInput, MergeServer } from './merge-input.js';

/** The results belong to different evals, agents or tools, so they cannot be one sample. */
export class UnlikeResultsError extends Error {
  readonly code = 'unlike-results';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`these results do not belong together: ${reasons.join('; ')}`);
    this.name = 'UnlikeResultsError';
    this.reasons = reasons;
  }
}

/** Conflicts that --force cannot override: merged task runs would be ambiguous. */
export function findHardConflicts(inputs: readonly MergeInput[]): string[] {
  const hasMatrix = (input: MergeInput) => input.sources.some(({ variants }) => variants);
  const matrix = inputs.find(hasMatrix);
  const plain = inputs.find(({ sources }) => sources.some(({ variants }) => !variants));
  if (!matrix || !plain) return [];
  return [`${matrix.file.path} comes from a matrix, and ${plain.file.path} does not`];
}

/** Conflicts that --force overrides. What one of the inputs does not say is no conflict. */
export function findConflicts(inputs: readonly MergeInput[]): string[] {
  const placedSources = inputs.flatMap(({ file, sources }) =>
    sources.map((source) => ({ path: file.path, source })),
  );
  const listValues = (read: (source: ResultsSource) => string | undefined) =>
    placedSources.map(({ path, source }) => ({ path, value: read(source) }));
  return [
    ...describeDifference(
      'the eval',
      listValues((source) => source.eval?.name),
    ),
    ...describeDifference(
      'the agent',
      listValues((source) => source.agent?.name),
    ),
    ...describeDifference(
      'the model',
      listValues((source) => source.agent?.model),
    ),
    ...findOtherSettings(placedSources),
    ...findRedefinedVariants(placedSources),
    ...findRedefinedTools(inputs),
    ...findDifferentJudging(inputs),
    ...findOverlappingShards(inputs),
    ...findDifferentCuts(inputs),
  ];
}

/** Finds agents with different settings; only digests are known, so the values are not shown. */
function findOtherSettings(sources: readonly PlacedSource[]): string[] {
  const byAgent = new Map<string, FileValue[]>();
  for (const { path, source } of sources) {
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

function findRedefinedVariants(sources: readonly PlacedSource[]): string[] {
  const byName = new Map<string, FileValue[]>();
  for (const { path, source } of sources) {
    for (const { name, agent, mcpConfigFile = '' } of source.variants ?? []) {
      const value = [agent.name, agent.model ?? '', mcpConfigFile].filter(Boolean).join(', ');
      byName.set(name, [...(byName.get(name) ?? []), { path, value }]);
    }
  }
  return [...byName].flatMap(([name, values]) => describeDifference(`the variant ${name}`, values));
}

/** Further tasks are only counted. */
const maxTasks = 5;

/** Finds tasks that were edited between runs: their rate would mix two different things. */
function findDifferentJudging(inputs: readonly MergeInput[]): string[] {
  const tasks = [...new Set(inputs.flatMap(({ judgings }) => [...judgings.keys()]))].sort();
  const reasons = tasks.flatMap((task) => {
    const records = inputs.flatMap(({ file, judgings: byTask }) => {
      const judgings = byTask.get(task);
      return judgings && judgings.known.length > 0 ? [{ path: file.path, judgings }] : [];
    });
    const [one, ...others] = records;
    if (!one) return [];
    const other = others.find(
      ({ judgings }) => Judgings.changes(one.judgings, judgings).length > 0,
    );
    if (!other) return [];
    const changes = describeJudgingChanges(Judgings.changes(one.judgings, other.judgings));
    return [`${task} is judged differently in ${other.path} than in ${one.path}: ${changes}`];
  });
  const rest = reasons.length - maxTasks;
  return rest > 0
    ? [...reasons.slice(0, maxTasks), `${rest} more tasks are judged differently`]
    : reasons;
}

interface PlacedSource {
  path: string;
  source: ResultsSource;
}

interface FileValue {
  path: string;
  value: string | undefined;
}

function describeDifference(title: string, values: readonly FileValue[]): string[] {
  const pair = findDifferingPair(values);
  if (!pair) return [];
  const [one, other] = pair;
  return [`${title} is ${one.value} in ${one.path}, and ${other.value} in ${other.path}`];
}

function findRedefinedTools(inputs: readonly MergeInput[]): string[] {
  const byServer = new Map<string, FileValue[]>();
  for (const { file, servers } of inputs) {
    for (const server of servers) {
      const { name, mcpConfigFile } = server;
      const shown = mcpConfigFile === undefined ? name : `${name} of ${mcpConfigFile}`;
      const values = byServer.get(shown) ?? [];
      byServer.set(shown, values);
      values.push({ path: file.path, value: computeToolsDigest(server) });
    }
  }
  return [...byServer].flatMap(([server, values]) => {
    const pair = findDifferingPair(values);
    if (!pair) return [];
    return [`${server} offers other tools in ${pair[0].path} than in ${pair[1].path}`];
  });
}

/** A digest of the tools of a server that does not depend on the order of tools and members. */
function computeToolsDigest({ json }: MergeServer): string | undefined {
  const { tools }: { tools?: unknown[] } = JSON.parse(json);
  return tools && digestJson(tools.map(digestJson).sort());
}

function findDifferingPair(values: readonly FileValue[]): [FileValue, FileValue] | undefined {
  const known = values.filter(({ value }) => value !== undefined);
  const [one] = known;
  const other = known.find(({ value }) => value !== one?.value);
  return one && other ? [one, other] : undefined;
}

/**
 * Finds shards that do not belong together although there are as many as one plan has: they were cut by
 * different durations. Several complete cuts, such as those of two nights, are no conflict.
 */
function findDifferentCuts(inputs: readonly MergeInput[]): string[] {
  const placedShards = inputs.flatMap(({ file, sources }) =>
    listShards(sources).map((shard) => ({ path: file.path, shard })),
  );
  const findPath = (of: number, cutBy: string | null) =>
    placedShards.find(({ shard }) => shard.of === of && shard.cutBy === cutBy)?.path;
  const seen = new Map<number, string | null>();
  for (const { of, cutBy } of findMissingShards(placedShards.map(({ shard }) => shard))) {
    if (cutBy === undefined) continue;
    const known = seen.get(of);
    if (known === undefined) {
      seen.set(of, cutBy);
      continue;
    }
    const [one, other] = [known, cutBy].map(
      (by) => `${describeShardCut(by)} in ${findPath(of, by)}`,
    );
    return [
      `the ${of} shards were cut ${one}, and ${other}, so that task runs are missing or there twice`,
    ];
  }
  return [];
}

/**
 * Finds different shards with the same task run. They were cut from different plans, so other task runs may be
 * in no shard.
 */
function findOverlappingShards(inputs: readonly MergeInput[]): string[] {
  const shards = new Map(
    inputs.flatMap(({ sources }) => listShards(sources)).map((shard) => [shard.evaluation, shard]),
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
      const taskRun = `run ${from.run} of ${formatTaskName({ task, variant })}`;
      return [
        `${taskRun} is in shard ${both.join(' and in shard ')}: their plans were not the same`,
      ];
    }
    owners.set(key, shard);
  }
  return [];
}
