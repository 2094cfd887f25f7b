import type { AgentDefinition } from '../agents/agent.js';
import { type Environment, variable } from '../config/environment-expansion.js';
import type { Problems } from '../config/problem.js';
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
  const lookUp = (key: keyof typeof env) => {
    const value = variable(environment, env[key])?.trim();
    if (value) return value;
    const message = `the environment variable ${env[key]} is not set`;
    const at = ['config', 'llmJudge', 'env', key];
    problems.atValue(suite.eval.source, at, 'unset-variable', message);
    return undefined;
  };
  const baseUrl = lookUp('baseUrlKey');
  const key = lookUp('apiKeyKey');
  const model = lookUp('modelNameKey');
  if (baseUrl === undefined || key === undefined || model === undefined) return undefined;
  const builtin = { type: 'openai-agent' as const, baseUrl, apiKey: env.apiKeyKey, model };
  return { name: 'openai-agent', data: { kind: 'Agent', builtin } };
}
