import { type Environment, variable } from './environment-expansion.js';
import { variablesIn } from './environment-placeholders.js';
import type { McpConfig } from './mcp-config-file.js';
import type { AgentData } from './schemas/agent-schema.js';
import type { EvalData } from './schemas/eval-schema.js';
import { soundsSecret } from './secret-names.js';
import { Secrets } from './secrets.js';
import { addEnv, addSettings } from './secrets-of-env.js';
import { addPartsOfUrl } from './secrets-of-requests.js';
import { addServers } from './secrets-of-servers.js';
import { addSteps } from './secrets-of-steps.js';
import type { TaskStep } from './task-steps.js';

/** Variables that hold a secret wherever they are set. */
const secretVariables = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
  'MODEL_KEY',
  'GITHUB_TOKEN',
  'GH_TOKEN',
];

type Settings = EvalData['config'];

/** Whatever may hold or name secrets. */
interface SecretSources {
  mcpConfigs?: readonly McpConfig[];
  /** The agent, and the judge if it is one. */
  agents?: readonly AgentData[];
  judge?: Settings['llmJudge'];
  extensions?: Settings['extensions'];
  steps?: readonly TaskStep[];
}

/** The secrets of all that is given, and the usual keys of the environment. */
export function secretsOf(sources: SecretSources, environment: Environment): Secrets {
  const { mcpConfigs = [], agents = [], judge, extensions = {}, steps = [] } = sources;
  const secrets = new Secrets(environment);
  for (const name of secretVariables) secrets.add(name, variable(environment, name));
  for (const agent of agents) addAgent(secrets, agent, environment);
  if (judge?.env) {
    const { apiKeyKey, baseUrlKey } = judge.env;
    secrets.add(apiKeyKey, variable(environment, apiKeyKey));
    addPartsOfUrl(secrets, variable(environment, baseUrlKey) ?? '');
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
  for (const { env = {} } of [builtin ?? {}, acp ?? {}, commands ?? {}]) {
    for (const [name, value] of Object.entries(env)) {
      if (soundsSecret(name)) secrets.add(name, value);
    }
  }
}
