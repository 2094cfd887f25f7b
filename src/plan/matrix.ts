import { basename } from 'node:path';
import type { EvalFile } from '../config/files/eval-file.js';
import type { Problems } from '../config/problems/problem.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import { agentReferenceOf } from './agent-reference.js';
import type { Choice, Combination } from './combination.js';
import { Exclusions } from './matrix-exclusions.js';
import type { Variant } from './variant.js';

/** What takes the place of the eval's own lists. Paths are absolute. */
export interface MatrixOptions {
  agents?: readonly Choice<AgentReference>[];
  models?: readonly string[];
  mcpConfigFiles?: readonly Choice<string>[];
}

/** What is combined. An empty list: what the eval itself says, or the agent. */
interface Matrix {
  agents: readonly Choice<AgentReference>[];
  models: readonly Choice<string>[];
  mcpConfigFiles: readonly Choice<string>[];
}

type TakesModel = (agent: Choice<AgentReference> | undefined) => boolean;

/**
 * Every combination of agents, models and MCP configs. What is given as options wins over the list of
 * the eval. An agent that takes no model is there once, however many models there are. None: the eval
 * excludes them all.
 */
export function combinationsOf(
  file: EvalFile,
  options: MatrixOptions,
  takesModel: TakesModel,
  problems: Problems,
): Combination[] {
  const matrix = matrixOf(file, options);
  const exclusions = new Exclusions(file);
  const left = allCombinations(matrix, takesModel).filter((each) => !exclusions.has(each));
  // What the command line puts in the place of a list may leave nothing to exclude.
  if (Object.values(options).every((list) => list === undefined)) exclusions.reportUnused(problems);
  if (left.length === 0) {
    const message = 'every combination of the matrix is excluded';
    problems.atKey(file.source, ['config', 'matrix', 'exclude'], 'nothing-selected', message);
  }
  return left.map((each) => withVariant(each, matrix));
}

function matrixOf(file: EvalFile, options: MatrixOptions): Matrix {
  const written = file.data.config.matrix ?? {};
  const placed = (list: 'agents' | 'models' | 'mcpConfigFiles') =>
    (written[list] ?? []).map((text, index) => ({
      written: text,
      at: ['config', 'matrix', list, index],
    }));
  const pathOf = (text: string) => resolveFrom(file.source, text);
  const agents =
    options.agents ??
    placed('agents').map((each) => ({ ...each, value: agentReferenceOf(each.written, pathOf) }));
  const models =
    options.models?.map((model) => ({ written: model, value: model })) ??
    placed('models').map((each) => ({ ...each, value: each.written }));
  const mcpConfigFiles =
    options.mcpConfigFiles ??
    placed('mcpConfigFiles').map((each) => ({ ...each, value: pathOf(each.written) }));
  return {
    agents: distinct(agents, ({ type, path }) => path ?? type),
    models: distinct(models, (model) => model),
    mcpConfigFiles: distinct(mcpConfigFiles, (path) => path),
  };
}

function distinct<Value>(
  choices: readonly Choice<Value>[],
  keyOf: (value: Value) => string,
): Choice<Value>[] {
  const byKey = new Map<string, Choice<Value>>();
  for (const choice of choices) {
    const key = keyOf(choice.value);
    if (!byKey.has(key)) byKey.set(key, choice);
  }
  return [...byKey.values()];
}

function allCombinations(
  { agents, models, mcpConfigFiles }: Matrix,
  takesModel: TakesModel,
): Combination[] {
  const orNone = <Value>(choices: readonly Value[]) => (choices.length > 0 ? choices : [undefined]);
  return orNone(agents).flatMap((agent) =>
    orNone(takesModel(agent) ? models : []).flatMap((model) =>
      orNone(mcpConfigFiles).map((mcpConfigFile) => ({
        ...(agent && { agent }),
        ...(model && { model }),
        ...(mcpConfigFile && { mcpConfigFile }),
      })),
    ),
  );
}

/** It is called by what tells it from the others. */
function withVariant(combination: Combination, matrix: Matrix): Combination {
  const { agent, model, mcpConfigFile } = combination;
  const parts = [
    matrix.agents.length > 1 && agent ? shortName(agent, matrix.agents) : undefined,
    matrix.models.length > 1 ? model?.written : undefined,
    matrix.mcpConfigFiles.length > 1 && mcpConfigFile
      ? shortName(mcpConfigFile, matrix.mcpConfigFiles)
      : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return combination;
  const variant: Variant = {
    name: parts.join(' + '),
    ...(matrix.mcpConfigFiles.length > 1 &&
      mcpConfigFile && { mcpConfigFile: mcpConfigFile.written }),
  };
  return { ...combination, variant };
}

/** A file without its folder and ending, as long as that is the only one of this name. */
function shortName<Value>({ written }: Choice<Value>, all: readonly Choice<Value>[]): string {
  const short = stem(written);
  return all.filter((other) => stem(other.written) === short).length > 1 ? written : short;
}

function stem(written: string): string {
  return basename(written)
    .replace(/^builtin\./, '')
    .replace(/\.(ya?ml|json)$/i, '');
}
