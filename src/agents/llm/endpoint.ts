import { isHttpUrl } from '../../base/http/http-syntax.js';
import type { ModelProvider } from '../../config/models.js';
import type { AgentProblem } from '../agent.js';
import type { BuiltinData, ModelChoice } from './model-choice.js';

/** Where a model is, and what opens the door. */
export interface Endpoint {
  provider: ModelProvider;
  model: string;
  baseUrl: string;
  apiKey?: { name: string; value: string };
  /** Asked over OpenAI's Responses API, in place of the chat API. */
  usesResponses?: true;
}

/** Models of OpenAI that do not think and call tools over the chat API: from 5.6 on. */
const responsesModels = /^gpt-(?:5\.6|[6-9](?:\.\d)?)(?:-|$)/;

/** Names of variables that belong together: a key never goes to the address of another pair. */
interface Variables {
  key: string;
  baseUrl: string;
}

interface Access {
  variables: readonly [Variables, ...Variables[]];
  /** None: there is no address that goes without saying. */
  defaultUrl?: string;
  /** Endpoints on one's own machine want none. */
  keyIsOptional?: true;
}

const openaiUrl = 'https://api.openai.com/v1';
const openaiVariables = { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' };
const modelVariables = { key: 'MODEL_KEY', baseUrl: 'MODEL_BASE_URL' };
const googleVariables = (key: string) => ({ key, baseUrl: 'GOOGLE_GEMINI_BASE_URL' });

const accesses: Record<ModelChoice['provider'], Access> = {
  'any-openai': { variables: [openaiVariables, modelVariables], defaultUrl: openaiUrl },
  openai: { variables: [openaiVariables], defaultUrl: openaiUrl },
  anthropic: {
    variables: [{ key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' }],
    defaultUrl: 'https://api.anthropic.com/v1',
  },
  google: {
    variables: [
      googleVariables('GOOGLE_GENERATIVE_AI_API_KEY'),
      googleVariables('GEMINI_API_KEY'),
      googleVariables('GOOGLE_API_KEY'),
    ],
    defaultUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  'openai-compatible': { variables: [modelVariables, openaiVariables], keyIsOptional: true },
};

/** Finds address and key: what the Agent file says, else the usual variables. */
export function findEndpoint(
  { provider, model }: ModelChoice,
  builtin: BuiltinData,
  environment: NodeJS.ProcessEnv,
): Endpoint | AgentProblem {
  const access = accesses[provider];
  const names = namesFor(builtin, access, environment);
  const apiKey = findKey(names.key, environment);
  if (!apiKey && (builtin.apiKey !== undefined || !access.keyIsOptional)) {
    return missingKey(builtin, access);
  }
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey.value)) {
    return { message: `${apiKey.name} holds characters that no API key has` };
  }
  const baseUrl = builtin.baseUrl ?? lookUp(names.baseUrl, environment) ?? access.defaultUrl;
  if (baseUrl === undefined) return missingUrl(access);
  if (!isHttpUrl(baseUrl)) {
    const source = builtin.baseUrl === undefined ? names.baseUrl : 'baseUrl of the agent';
    return { message: `${source} is not an address that begins with http:// or https://` };
  }
  const known = provider === 'any-openai' ? providerAt(baseUrl) : provider;
  const usual = known === 'openai' && responsesModels.test(model);
  const usesResponses = isOpenaiLike(known) && (builtin.useResponsesAPI ?? usual);
  return {
    provider: known,
    model,
    baseUrl,
    ...(apiKey && { apiKey }),
    ...(usesResponses && { usesResponses }),
  };
}

/** The pair of variables that has what the Agent file leaves open. */
function namesFor(
  builtin: BuiltinData,
  { variables, keyIsOptional }: Access,
  environment: NodeJS.ProcessEnv,
): Variables {
  const needsUrl = builtin.apiKey !== undefined || keyIsOptional;
  const decisive = needsUrl && builtin.baseUrl === undefined ? 'baseUrl' : 'key';
  const pair = variables.find((names) => lookUp(names[decisive], environment) !== undefined);
  const { key, baseUrl } = pair ?? variables[0];
  return { key: builtin.apiKey ?? key, baseUrl };
}

function findKey(name: string, environment: NodeJS.ProcessEnv): Endpoint['apiKey'] {
  const value = lookUp(name, environment);
  return value === undefined ? undefined : { name, value };
}

function lookUp(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const value = environment[name]?.trim();
  return value === '' ? undefined : value;
}

function isOpenaiLike(provider: ModelProvider): boolean {
  return provider === 'openai' || provider === 'openai-compatible';
}

/** OpenAI has settings of its own for some models, the others have the model's thoughts. */
function providerAt(baseUrl: string): ModelProvider {
  return new URL(baseUrl).hostname === 'api.openai.com' ? 'openai' : 'openai-compatible';
}

function missingKey({ apiKey }: BuiltinData, { variables }: Access): AgentProblem {
  const names = apiKey === undefined ? variables.map(({ key }) => key) : [apiKey];
  const anyText = variables.includes(modelVariables)
    ? ' (any text, if the endpoint wants none)'
    : '';
  return {
    message: `there is no API key: ${names.join(' or ')} is not set`,
    hint: `set ${names.join(' or ')}${anyText}`,
  };
}

function missingUrl({ variables }: Access): AgentProblem {
  const names = variables.map(({ baseUrl }) => baseUrl).join(' or ');
  return {
    message: 'there is no address of the model API',
    hint: `give the agent a baseUrl, or set ${names}`,
  };
}
