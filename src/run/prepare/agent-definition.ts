import { basename, extname } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import { findBuiltin, getKindFacts } from '../../config/agent-kinds.js';
import type { AgentFile } from '../../config/files/agent-file.js';
import { getJudgeType } from '../../config/files/eval-file.js';
import { type Environment, getVariable } from '../../config/placeholders/environment-variables.js';
import type { Problems } from '../../config/problems/problem.js';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import type { AgentReference, judgeVariables } from '../../config/schemas/eval-schema.js';
import { resolveFrom } from '../../config/yaml/data-file.js';
import type { DataPath } from '../../config/yaml/source-file.js';
import type { Suite } from '../../plan/suite.js';

/** The agent of a suite as an Agent file would define it; undefined if the suite has a problem there. */
function agentDefinition({ agent, agentFile }: Suite): AgentDefinition | undefined {
  return agent && defineAgent(agent, agentFile);
}

/** The agents of all variants; undefined if one of them has a problem there. */
export function defineAgents(
  suites: readonly Suite[],
): ReadonlyMap<Suite, AgentDefinition> | undefined {
  const definitions = new Map<Suite, AgentDefinition>();
  for (const suite of suites) {
    const definition = agentDefinition(suite);
    if (!definition) return undefined;
    definitions.set(suite, definition);
  }
  return definitions;
}

/** The agent that an eval refers to; undefined if the file that it names could not be read. */
export function defineAgent(
  { type, model, useResponsesAPI }: AgentReference,
  file: AgentFile | undefined,
): AgentDefinition | undefined {
  const settings = {
    ...(model !== undefined && { model }),
    ...(useResponsesAPI !== undefined && { useResponsesAPI }),
  };
  const builtinType = findBuiltin(type);
  if (builtinType !== undefined) {
    const builtin = { type: builtinType, ...settings };
    return { name: builtinType, data: { kind: 'Agent', builtin } };
  }
  if (!file) return undefined;
  const { source } = file;
  const data = withPlacedProgram(file);
  const name = data.metadata?.name ?? basename(source.path, extname(source.path));
  const definition = { name, data, file: source.name };
  if (!data.builtin) return definition;
  return { ...definition, data: { ...data, builtin: { ...data.builtin, ...settings } } };
}

/** A program that is given as a path lies where its file says, not where Proctor runs. */
function withPlacedProgram({ source, data }: AgentFile): AgentData {
  const { acp } = data;
  if (!acp?.cmd.includes('/')) return data;
  return { ...data, acp: { ...acp, cmd: resolveFrom(source, acp.cmd) } };
}

/** Whether the model of an agent can be chosen. */
export function canTakeModel({ data }: AgentDefinition): boolean {
  return getKindFacts(data).takesModel === true;
}

/**
 * The judge of a suite as an Agent file would define it; undefined if there is none, or something is
 * wrong with it. Variables that are not set are problems here and not in `validate`, which needs none.
 */
export function defineJudge(
  suite: Suite,
  environment: Environment,
  problems: Problems,
): AgentDefinition | undefined {
  const { ref, env } = suite.eval.data.config.llmJudge ?? {};
  if (ref) return defineAgent(ref, suite.judgeFile);
  if (!env) return undefined;
  const { source } = suite.eval;
  const place = ['config', 'llmJudge', 'env'];
  const type = getJudgeType(env, environment);
  if (type === 'claude') return { name: 'claude-code', data: claudeCode };
  if (type !== 'openai') {
    const message = `the variable ${env.typeKey} holds ${JSON.stringify(type)}: expected openai or claude`;
    problems.atValue(source, [...place, 'typeKey'], 'invalid-value', message);
    return undefined;
  }
  const lookUp = (key: (typeof judgeVariables)[number]) => {
    const name = env[key];
    if (name === undefined) {
      const message = `${key} is required for a judge of type openai`;
      problems.atKey(source, place, 'missing-field', message);
      return undefined;
    }
    const value = getVariable(environment, name)?.trim();
    if (value) return value;
    const message = `the environment variable ${name} is not set`;
    problems.atValue(source, [...place, key], 'unset-variable', message);
    return undefined;
  };
  const baseUrl = lookUp('baseUrlKey');
  const key = lookUp('apiKeyKey');
  const model = lookUp('modelNameKey');
  if (baseUrl === undefined || key === undefined || model === undefined) return undefined;
  const { apiKeyKey: apiKey } = env;
  const builtin = { type: 'openai-agent' as const, baseUrl, ...(apiKey && { apiKey }), model };
  return { name: 'openai-agent', data: { kind: 'Agent', builtin } };
}

const claudeCode: AgentData = { kind: 'Agent', builtin: { type: 'claude-code' } };

/** The place in an eval that names its agent. */
export function locateAgent({ eval: { data }, chosenAgent }: Suite): DataPath {
  return chosenAgent?.at ?? ['config', data.config.agent ? 'agent' : 'agentFile'];
}
