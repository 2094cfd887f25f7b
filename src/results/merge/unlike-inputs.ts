import type { ResultsSource } from '../results-schema.js';
import { differentCuts } from './different-cuts.js';
import type { MergeInput } from './merge-input.js';
import { overlappingShards } from './overlapping-shards.js';
import { toolsDigest } from './tools-digest.js';

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
    ...redefinedVariants(told),
    ...redefinedTools(inputs),
    ...overlappingShards(inputs),
    ...differentCuts(inputs),
  ];
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

function differingPair(values: readonly Told[]): [Told, Told] | undefined {
  const told = values.filter(({ value }) => value !== undefined);
  const [one] = told;
  const other = told.find(({ value }) => value !== one?.value);
  return one && other ? [one, other] : undefined;
}
