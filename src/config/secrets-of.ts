import { type Environment, variable } from './environment-expansion.js';
import { variablesIn } from './environment-placeholders.js';
import type { McpConfig } from './mcp-config-file.js';
import { compilePattern } from './pattern.js';
import type { AgentData } from './schemas/agent-schema.js';
import type { EvalData } from './schemas/eval-schema.js';
import { Secrets } from './secrets.js';
import { addEnv, addSettings } from './secrets-of-env.js';
import { addArguments, addEnvironment, addScript, addVariable } from './secrets-of-environment.js';
import { addPartsOfUrl } from './secrets-of-requests.js';
import { addServers } from './secrets-of-servers.js';
import { addSteps } from './secrets-of-steps.js';
import type { TaskStep } from './task-steps.js';

type Settings = EvalData['config'];

/** Whatever may hold or name secrets. */
interface SecretSources {
  mcpConfigs?: readonly McpConfig[];
  /** The agent, and the judge if it is one. */
  agents?: readonly AgentData[];
  judge?: Settings['llmJudge'];
  extensions?: Settings['extensions'];
  steps?: readonly TaskStep[];
  /** What the eval asks for. */
  redact?: Settings['redact'];
  /** What results go by, such as servers: a secret with the same value stays visible. */
  names?: readonly string[];
}

/** The secrets of all that is given, and those of the environment that have a telling name. */
export function secretsOf(sources: SecretSources, environment: Environment): Secrets {
  const { mcpConfigs = [], agents = [], judge, extensions = {}, steps = [] } = sources;
  const { redact = [], names = [] } = sources;
  const secrets = new Secrets(environment, names);
  for (const { env, pattern } of redact) {
    if (env !== undefined) secrets.addNamed(env, variable(environment, env));
    const compiled = pattern === undefined ? undefined : compilePattern(pattern);
    if (compiled?.ok) secrets.addPattern(compiled.pattern);
  }
  addEnvironment(secrets, environment);
  for (const agent of agents) addAgent(secrets, agent, environment);
  if (judge?.env) {
    const { apiKeyKey, baseUrlKey } = judge.env;
    if (apiKeyKey) secrets.add(apiKeyKey, variable(environment, apiKeyKey));
    if (baseUrlKey) addPartsOfUrl(secrets, variable(environment, baseUrlKey) ?? '');
  }
  for (const mcp of mcpConfigs) addServers(secrets, mcp, environment);
  for (const { config, env = {} } of Object.values(extensions)) {
    for (const { name, value } of variablesIn({ config, env }, environment)) {
      secrets.add(name, value);
    }
    addEnv(secrets, env, environment);
    addSettings(secrets, config, environment);
  }
  addSteps(secrets, steps, environment);
  return secrets;
}

function addAgent(
  secrets: Secrets,
  { builtin, acp, commands }: AgentData,
  environment: Environment,
): void {
  const name = builtin?.apiKey;
  if (name !== undefined) secrets.add(name, variable(environment, name));
  addPartsOfUrl(secrets, builtin?.baseUrl ?? '');
  addArguments(secrets, acp?.args ?? []);
  addScript(secrets, commands?.runPrompt ?? '');
  for (const { env = {} } of [builtin ?? {}, acp ?? {}, commands ?? {}]) {
    for (const [name, value] of Object.entries(env)) {
      addVariable(secrets, name, value);
    }
  }
}
