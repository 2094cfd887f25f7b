import type { McpConfig, McpServer } from '../files/mcp-config-file.js';
import type { TaskStep } from '../files/task-steps.js';
import { compilePattern } from '../patterns/pattern.js';
import {
  type Environment,
  fillVariables,
  findReferences,
  findStrings,
  findVariables,
  getVariable,
  workdirVariable,
} from '../placeholders/environment-variables.js';
import { findPlaceholders, neutralizePlaceholders } from '../placeholders/placeholders.js';
import { getValue } from '../problems/shape-check.js';
import type { AgentData } from '../schemas/agent-schema.js';
import type { EvalData } from '../schemas/eval-schema.js';
import type { DataPath } from '../yaml/source-file.js';
import { soundsSecret } from './secret-names.js';
import {
  addArguments,
  addEnvironment,
  addHeaders,
  addScript,
  addUrlParts,
  addVariable,
} from './secret-values.js';
import { Secrets } from './secrets.js';

type Settings = EvalData['config'];

/** The parts of a suite that may hold or name secrets. */
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

/** Collects the secrets of all sources, and those variables whose name sounds like a secret. */
export function collectSecrets(sources: SecretSources, environment: Environment): Secrets {
  const { mcpConfigs = [], agents = [], judge, extensions = {}, steps = [] } = sources;
  const { redact = [], names = [] } = sources;
  const secrets = new Secrets(environment, names);
  for (const { env, pattern } of redact) {
    if (env !== undefined) secrets.addNamed(env, getVariable(environment, env));
    const compiled = pattern === undefined ? undefined : compilePattern(pattern);
    if (compiled?.ok) secrets.addPattern(compiled.pattern);
  }
  addEnvironment(secrets, environment);
  for (const agent of agents) addAgent(secrets, agent, environment);
  if (judge?.env) {
    const { apiKeyKey, baseUrlKey } = judge.env;
    if (apiKeyKey) secrets.add(apiKeyKey, getVariable(environment, apiKeyKey));
    if (baseUrlKey) addUrlParts(secrets, getVariable(environment, baseUrlKey) ?? '');
  }
  for (const mcp of mcpConfigs) addServerSecrets(secrets, mcp, environment);
  for (const { config, env = {} } of Object.values(extensions)) {
    for (const { name, value } of findVariables({ config, env }, environment)) {
      secrets.add(name, value);
    }
    addEnv(secrets, env, environment);
    addSettings(secrets, config, environment);
  }
  addStepSecrets(secrets, steps, environment);
  return secrets;
}

function addAgent(
  secrets: Secrets,
  { builtin, acp, commands }: AgentData,
  environment: Environment,
): void {
  const name = builtin?.apiKey;
  if (name !== undefined) secrets.add(name, getVariable(environment, name));
  addUrlParts(secrets, builtin?.baseUrl ?? '');
  addArguments(secrets, acp?.args ?? []);
  addScript(secrets, commands?.runPrompt ?? '');
  for (const { env = {} } of [builtin ?? {}, acp ?? {}, commands ?? {}]) {
    for (const [name, value] of Object.entries(env)) {
      addVariable(secrets, name, value);
    }
  }
}

/** The variables that something is started with, as far as they are known before. */
function addEnv(
  secrets: Secrets,
  env: Readonly<Record<string, string>>,
  environment: Environment,
): void {
  for (const [name, text] of Object.entries(env)) addNamedText(secrets, name, text, environment);
}

/** What stands, however deep, under a key that sounds like a secret. */
function addSettings(secrets: Secrets, settings: unknown, environment: Environment): void {
  for (const { path, text } of findStrings('', settings, [])) {
    addNamedText(secrets, findInnermostKey(path), text, environment);
  }
}

/**
 * What a step sends under a key that sounds like a secret. `key` alone does not: what is sent under it is
 * mostly the name of something, which results are about.
 */
function addSent(secrets: Secrets, sent: unknown, environment: Environment): void {
  for (const { path, text } of findStrings('', sent, [])) {
    const name = findInnermostKey(path);
    if (!/^keys?$/i.test(name)) addNamedText(secrets, name, text, environment);
  }
}

/** The innermost key: items of a list are called as the list is. */
function findInnermostKey(path: DataPath): string {
  return String(path.findLast((segment) => typeof segment === 'string') ?? '');
}

function addNamedText(
  secrets: Secrets,
  name: string,
  text: string,
  environment: Environment,
): void {
  const value = fillVariables(text, environment);
  // What a step before it gives is not known yet.
  if (findPlaceholders(value).every(({ family }) => family === 'env')) {
    addVariable(secrets, name, value);
  }
}

/** The secrets of the enabled servers of a config. */
function addServerSecrets(secrets: Secrets, config: McpConfig, environment: Environment): void {
  for (const server of config.servers) {
    const written = getValue(config.written, ['mcpServers', server.name]);
    // Before the values they are part of: the name of a variable says more than that of a header.
    addServerVariables(secrets, written, environment);
    addServerValues(secrets, server, written);
  }
}

function addServerVariables(secrets: Secrets, written: unknown, environment: Environment): void {
  for (const { path, text } of findStrings('${', written, [])) {
    const isPrivate = path[0] === 'headers' || path[0] === 'env';
    for (const { name } of findReferences(text)) {
      // A folder of the task run, and never the variable of this name.
      if (name === workdirVariable) continue;
      // Elsewhere (an address, arguments) most variables are ports and folders.
      if (isPrivate || soundsSecret(name)) secrets.add(name, getVariable(environment, name));
    }
  }
}

function addServerValues(secrets: Secrets, { data }: McpServer, written: unknown): void {
  const { headers = {}, env = {}, args = [], url } = data;
  const isLiteral = (name: string, value: string) =>
    written === undefined || getValue(written, ['headers', name]) === value;
  addHeaders(secrets, headers, isLiteral);
  for (const [name, value] of Object.entries(env)) {
    addVariable(secrets, name, value);
  }
  addArguments(secrets, args);
  if (url !== undefined) addUrlParts(secrets, url);
}

/** The secrets of the steps of tasks, as far as they are known before they run. */
function addStepSecrets(
  secrets: Secrets,
  steps: readonly TaskStep[],
  environment: Environment,
): void {
  for (const { type, data } of steps) {
    for (const { name, value, path } of findVariables(data, environment)) {
      const isHeader = type === 'http' && path[0] === 'headers';
      // Elsewhere most variables are ports and folders.
      if (isHeader || soundsSecret(name)) secrets.add(name, value);
    }
    if (type === 'http') addRequest(secrets, data as HttpStep, environment);
    else if (type !== 'script') addSent(secrets, data, environment);
    else {
      const { inline = '', env = {} } = data as ScriptStep;
      addEnv(secrets, env, environment);
      addScript(secrets, inline);
    }
  }
}

interface HttpStep {
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

interface ScriptStep {
  inline?: string;
  env?: Record<string, string>;
}

function addRequest(secrets: Secrets, step: HttpStep, environment: Environment) {
  const { url, headers = {}, body } = step;
  const complete = Object.entries(headers).flatMap(([name, text]) => {
    const value = fillVariables(text, environment);
    // What a step before it gives is not known yet.
    return findPlaceholders(value).length > 0 ? [] : [[name, value]];
  });
  addHeaders(secrets, Object.fromEntries(complete), (name, value) => headers[name] === value);
  addUrlParts(secrets, neutralizePlaceholders(fillVariables(url, environment)));
  addSent(secrets, body, environment);
}
