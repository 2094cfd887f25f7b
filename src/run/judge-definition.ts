import type { AgentDefinition } from '../agents/agent.js';
import { getJudgeType } from '../config/files/eval-file.js';
import { type Environment, getVariable } from '../config/placeholders/environment-variables.js';
import type { Problems } from '../config/problems/problem.js';
import type { AgentData } from '../config/schemas/agent-schema.js';
import type { judgeVariables } from '../config/schemas/eval-schema.js';
import type { Suite } from '../plan/suite.js';
import { definitionOf } from './agent-definition.js';

/**
 * The judge of a suite as an Agent file would define it; undefined if there is none, or something is
 * wrong with it. Variables that are not set are problems here and not in `validate`, which needs none.
 */
export function judgeDefinition(
  suite: Suite,
  environment: Environment,
  problems: Problems,
): AgentDefinition | undefined {
  const { ref, env } = suite.eval.data.config.llmJudge ?? {};
  if (ref) return definitionOf(ref, suite.judgeFile);
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
