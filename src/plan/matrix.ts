import { basename } from 'node:path';
import { findBuiltin } from '../config/agent-kinds.js';
import { describeMissingModel, findModelFlaw, needsModel } from '../config/files/agent-file.js';
import type { EvalFile } from '../config/files/eval-file.js';
import type { Problems } from '../config/problems/problem.js';
import type { AgentReference, MatrixData } from '../config/schemas/eval-schema.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { DataPath } from '../config/yaml/source-file.js';

/** One combination of a matrix: an agent, a model and an MCP config. */
export interface Variant {
  /** Distinguishes it from the others: `claude-code + mcp-next`. */
  name: string;
  /** Its MCP config, where the matrix has several: as it is written there. */
  mcpConfigFile?: string;
}

/** One value of a list of the matrix. */
export interface Choice<Value> {
  /** The text in the eval or on the command line. */
  written: string;
  value: Value;
  /** Where the eval names it; undefined: the command line does. */
  at?: DataPath;
}

/** What one variant is made of. Nothing of a kind: what the eval itself says, or the agent. */
export interface Combination {
  /** Undefined: there is no matrix. */
  variant?: Variant;
  agent?: Choice<AgentReference>;
  model?: Choice<string>;
  mcpConfigFile?: Choice<string>;
}

/** What takes the place of the eval's own lists. Paths are absolute. */
export interface MatrixOptions {
  agents?: readonly Choice<AgentReference>[] | undefined;
  models?: readonly string[] | undefined;
  mcpConfigFiles?: readonly Choice<string>[] | undefined;
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
export function listCombinations(
  file: EvalFile,
  options: MatrixOptions,
  takesModel: TakesModel,
  problems: Problems,
): Combination[] {
  const matrix = readMatrix(file, options);
  const exclusions = new Exclusions(file);
  const left = combineAll(matrix, takesModel).filter((combination) => !exclusions.has(combination));
  // What the command line puts in the place of a list may leave nothing to exclude.
  if (Object.values(options).every((list) => list === undefined)) exclusions.reportUnused(problems);
  if (left.length === 0) {
    const message = 'every combination of the matrix is excluded';
    problems.atKey(file.source, ['config', 'matrix', 'exclude'], 'nothing-selected', message);
  }
  return left.map((combination) => nameVariant(combination, matrix));
}

function readMatrix(file: EvalFile, options: MatrixOptions): Matrix {
  const written = file.data.config.matrix ?? {};
  const placed = (list: 'agents' | 'models' | 'mcpConfigFiles') =>
    (written[list] ?? []).map((text, index) => ({
      written: text,
      at: ['config', 'matrix', list, index],
    }));
  const pathOf = (text: string) => resolveFrom(file.source, text);
  const agents =
    options.agents ??
    placed('agents').map((choice) => ({
      ...choice,
      value: parseAgentReference(choice.written, pathOf),
    }));
  const models =
    options.models?.map((model) => ({ written: model, value: model })) ??
    placed('models').map((choice) => ({ ...choice, value: choice.written }));
  const mcpConfigFiles =
    options.mcpConfigFiles ??
    placed('mcpConfigFiles').map((choice) => ({ ...choice, value: pathOf(choice.written) }));
  return {
    agents: removeDuplicates(agents, ({ type, path }) => path ?? type),
    models: removeDuplicates(models, (model) => model),
    mcpConfigFiles: removeDuplicates(mcpConfigFiles, (path) => path),
  };
}

function removeDuplicates<Value>(
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

function combineAll(
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

/** Names a combination by what distinguishes it from the others. */
function nameVariant(combination: Combination, matrix: Matrix): Combination {
  const { agent, model, mcpConfigFile } = combination;
  const parts = [
    matrix.agents.length > 1 && agent ? shortenName(agent, matrix.agents) : undefined,
    matrix.models.length > 1 ? model?.written : undefined,
    matrix.mcpConfigFiles.length > 1 && mcpConfigFile
      ? shortenName(mcpConfigFile, matrix.mcpConfigFiles)
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
function shortenName<Value>({ written }: Choice<Value>, all: readonly Choice<Value>[]): string {
  const short = stem(written);
  return all.filter((other) => stem(other.written) === short).length > 1 ? written : short;
}

function stem(written: string): string {
  return basename(written)
    .replace(/^builtin\./, '')
    .replace(/\.(ya?ml|json)$/i, '');
}

/** A built-in agent by its name, with or without `builtin.`, or an Agent file. */
export function parseAgentReference(
  text: string,
  pathOf: (text: string) => string,
): AgentReference {
  const builtin = findBuiltin(text);
  return builtin ? { type: builtin } : { type: 'file', path: pathOf(text) };
}

type Exclusion = NonNullable<MatrixData['exclude']>[number];

/** What an eval leaves out of its matrix. */
class Exclusions {
  readonly #file: EvalFile;
  readonly #items: readonly Exclusion[];
  readonly #used = new Set<Exclusion>();

  constructor(file: EvalFile) {
    this.#file = file;
    this.#items = file.data.config.matrix?.exclude ?? [];
  }

  has(combination: Combination): boolean {
    const matching = this.#items.filter((item) => this.#fits(item, combination));
    for (const item of matching) this.#used.add(item);
    return matching.length > 0;
  }

  /** One that fits nothing is a mistake in what it names, and leaves in what was to be left out. */
  reportUnused(problems: Problems): void {
    for (const [index, item] of this.#items.entries()) {
      if (this.#used.has(item)) continue;
      const at = ['config', 'matrix', 'exclude', index];
      const message = isEmpty(item) ? 'it names nothing' : 'no combination of the matrix matches';
      const hint = 'name values as the lists have them';
      problems.atKey(this.#file.source, at, 'unused-exclusion', message, hint);
    }
  }

  #fits(item: Exclusion, { agent, model, mcpConfigFile }: Combination): boolean {
    if (isEmpty(item)) return false;
    const pathOf = (text: string) => resolveFrom(this.#file.source, text);
    if (item.agent !== undefined) {
      const { type, path } = parseAgentReference(item.agent, pathOf);
      if (agent?.value.type !== type || agent.value.path !== path) return false;
    }
    if (item.model !== undefined && item.model !== model?.value) return false;
    return item.mcpConfigFile === undefined || pathOf(item.mcpConfigFile) === mcpConfigFile?.value;
  }
}

function isEmpty(item: Exclusion): boolean {
  return Object.values(item).every((value) => value === undefined);
}

/** Models that an eval's matrix gives to agents, as far as they can be checked without a request. */
export function checkModels(
  { source, data }: EvalFile,
  combinations: readonly Combination[],
  problems: Problems,
): void {
  const list = ['config', 'matrix', 'models'];
  const isUseless =
    combinations.length > 0 && combinations.every(({ model }) => model === undefined);
  if (data.config.matrix?.models && isUseless && combinations.every(isAgentOfEval)) {
    const hint = 'a command, an ACP agent or a script brings its own';
    problems.atKey(source, list, 'invalid-value', 'no agent of the matrix takes a model', hint);
  }
  for (const { agent, model } of combinations) {
    const type = findBuiltin(agent?.value.type ?? data.config.agent?.type ?? 'file') ?? 'file';
    if (model?.at) {
      const flaw = findModelFlaw(type, model.value);
      if (flaw) problems.atValue(source, model.at, 'invalid-value', flaw.message, flaw.hint);
    } else if (!model && agent?.at && needsModel(type)) {
      problems.atValue(source, agent.at, 'missing-model', ...describeMissingModel(type));
    }
  }
}

function isAgentOfEval({ agent }: Combination): boolean {
  return agent === undefined || agent.at !== undefined;
}
