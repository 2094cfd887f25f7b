import { digestJson } from '../../base/json-digest.js';
import { Judgings, judgingInWords } from '../judging.js';
import type { ResultsSource } from '../results-schema.js';
import { differentCuts } from './different-cuts.js';
import type { MergeInput, MergeServer } from './merge-input.js';
import { overlappingShards } from './overlapping-shards.js';

/** These results are of different things, so they are no sample of one. */
export class UnlikeResults extends Error {
  readonly code = 'unlike-results';
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`these results are of different things: ${reasons.join('; ')}`);
    this.name = 'UnlikeResults';
    this.reasons = reasons;
  }
}

/** Why inputs cannot be told apart any more once they are one: that is no matter of opinion. */
export function reasonsForbidding(inputs: readonly MergeInput[]): string[] {
  const hasMatrix = (input: MergeInput) => input.sources.some(({ variants }) => variants);
  const matrix = inputs.find(hasMatrix);
  const plain = inputs.find(({ sources }) => sources.some(({ variants }) => !variants));
  if (!matrix || !plain) return [];
  return [`${matrix.file.path} is of a matrix, and ${plain.file.path} is not`];
}

/** Why inputs do not belong together. What one of them does not tell is no reason. */
export function reasonsAgainst(inputs: readonly MergeInput[]): string[] {
  const told = inputs.flatMap(({ file, sources }) =>
    sources.map((source) => ({ path: file.path, source })),
  );
  const valuesOf = (read: (source: ResultsSource) => string | undefined) =>
    told.map(({ path, source }) => ({ path, value: read(source) }));
  return [
    ...difference(
      'the eval',
      valuesOf((source) => source.eval?.name),
    ),
    ...difference(
      'the agent',
      valuesOf((source) => source.agent?.name),
    ),
    ...difference(
      'the model',
      valuesOf((source) => source.agent?.model),
    ),
    ...otherSettings(told),
    ...redefinedVariants(told),
    ...redefinedTools(inputs),
    ...differentJudging(inputs),
    ...overlappingShards(inputs),
    ...differentCuts(inputs),
  ];
}

/** Known by digests only, which tell a reader nothing. */
function otherSettings(told: readonly { path: string; source: ResultsSource }[]): string[] {
  const byAgent = new Map<string, Told[]>();
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
    const pair = differingPair(values);
    if (!pair) return [];
    return [`${title} has other settings or skills in ${pair[1].path} than in ${pair[0].path}`];
  });
}

function redefinedVariants(told: readonly { path: string; source: ResultsSource }[]): string[] {
  const byName = new Map<string, Told[]>();
  for (const { path, source } of told) {
    for (const { name, agent, mcpConfigFile = '' } of source.variants ?? []) {
      const value = [agent.name, agent.model ?? '', mcpConfigFile].filter(Boolean).join(', ');
      byName.set(name, [...(byName.get(name) ?? []), { path, value }]);
    }
  }
  return [...byName].flatMap(([name, values]) => difference(`the variant ${name}`, values));
}

/** More tasks nobody reads. */
const mostTasks = 5;

/** A task that was edited in between: its rate would be one of two different things. */
function differentJudging(inputs: readonly MergeInput[]): string[] {
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
    const what = judgingInWords(Judgings.changes(one.own, other.own));
    return [`${task} is judged differently in ${other.path} than in ${one.path}: ${what}`];
  });
  const rest = reasons.length - mostTasks;
  return rest > 0
    ? [...reasons.slice(0, mostTasks), `${rest} more tasks are judged differently`]
    : reasons;
}

interface Told {
  path: string;
  value: string | undefined;
}

function difference(what: string, values: readonly Told[]): string[] {
  const pair = differingPair(values);
  if (!pair) return [];
  const [one, other] = pair;
  return [`${what} is ${one.value} in ${one.path}, and ${other.value} in ${other.path}`];
}

function redefinedTools(inputs: readonly MergeInput[]): string[] {
  const byServer = new Map<string, Told[]>();
  for (const { file, servers } of inputs) {
    for (const server of servers) {
      const { name, mcpConfigFile } = server;
      const shown = mcpConfigFile === undefined ? name : `${name} of ${mcpConfigFile}`;
      const told = byServer.get(shown) ?? [];
      byServer.set(shown, told);
      told.push({ path: file.path, value: toolsDigest(server) });
    }
  }
  return [...byServer].flatMap(([server, told]) => {
    const pair = differingPair(told);
    if (!pair) return [];
    return [`${server} offers other tools in ${pair[0].path} than in ${pair[1].path}`];
  });
}

/** The same for the same tools, in whatever order they and their members are written. */
function toolsDigest({ json }: MergeServer): string | undefined {
  const { tools }: { tools?: unknown[] } = JSON.parse(json);
  return tools && digestJson(tools.map(digestJson).sort());
}

function differingPair(values: readonly Told[]): [Told, Told] | undefined {
  const told = values.filter(({ value }) => value !== undefined);
  const [one] = told;
  const other = told.find(({ value }) => value !== one?.value);
  return one && other ? [one, other] : undefined;
}
