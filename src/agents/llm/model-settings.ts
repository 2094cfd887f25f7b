import * as z from 'zod/mini';
import { isHttpUrl } from '../../base/http/http-syntax.js';
import { didYouMean } from '../../base/nearest.js';
import { describeMissingModel } from '../../config/files/agent-file.js';
import { findProvider, type ModelProvider, providerNames } from '../../config/models.js';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import type { AgentProblem } from '../agent.js';

export type BuiltinData = NonNullable<AgentData['builtin']>;

/** What an Agent file says about its model, as far as the environment completes it. */
interface ModelSettings {
  problems: AgentProblem[];
  params: ModelParams;
  /** Undefined: something is wrong with the choice of the model, its address or its key. */
  endpoint?: Endpoint;
}

export function readModelSettings(
  builtin: BuiltinData,
  environment: NodeJS.ProcessEnv,
): ModelSettings {
  const { params, problems } = readModelParams(builtin.params);
  const choice = chooseModel(builtin);
  if (!('model' in choice)) return { params, problems: [choice, ...problems] };
  const endpoint = findEndpoint(choice, builtin, { ...environment, ...builtin.env });
  if (!('baseUrl' in endpoint)) return { params, problems: [endpoint, ...problems] };
  return { params, problems, endpoint };
}

/** Which model of which provider. `any-openai` is any API like OpenAI's; its address decides. */
export interface ModelChoice {
  provider: ModelProvider | 'any-openai';
  model: string;
}

export function chooseModel({ type, model }: BuiltinData): ModelChoice | AgentProblem {
  const isLlmAgent = type === 'llm-agent';
  if (model === undefined) {
    const [message, hint] = describeMissingModel(type);
    return { message, hint };
  }
  if (!isLlmAgent) return { provider: 'any-openai', model };
  const end = model.indexOf(':');
  const provider = findProvider(model.slice(0, Math.max(end, 0)));
  if (provider && end + 1 < model.length) return { provider, model: model.slice(end + 1) };
  return {
    message: `the model of an llm-agent is provider:id, found ${JSON.stringify(model)}`,
    hint: `a provider is one of ${providerNames.join(', ')}`,
  };
}

/** The address of a model and the key for it. */
export interface Endpoint {
  provider: ModelProvider;
  model: string;
  baseUrl: string;
  apiKey?: { name: string; value: string };
  /** Whether the model is asked over OpenAI's Responses API, in place of the chat API. */
  usesResponses?: true;
}

/** Models of OpenAI that do not think and call tools over the chat API: from 5.6 on. */
const responsesModels = /^gpt-(?:5\.6|[6-9](?:\.\d)?)(?:-|$)/;

/** Names of variables that belong together: a key never goes to the address of another pair. */
interface Variables {
  key: string;
  baseUrl: string;
}

/** How the address and the key of a provider are found. */
interface Access {
  variables: readonly [Variables, ...Variables[]];
  /** Undefined: the provider has no well-known address. */
  defaultUrl?: string;
  /** Endpoints on the user's own machine usually need no key. */
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

/** Finds address and key: from the Agent file, else from the usual variables. */
export function findEndpoint(
  { provider, model }: ModelChoice,
  builtin: BuiltinData,
  environment: NodeJS.ProcessEnv,
): Endpoint | AgentProblem {
  const access = accesses[provider];
  const names = chooseVariables(builtin, access, environment);
  const apiKey = findKey(names.key, environment);
  if (!apiKey && (builtin.apiKey !== undefined || !access.keyIsOptional)) {
    return describeMissingKey(builtin, access);
  }
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey.value)) {
    return { message: `${apiKey.name} holds characters that no API key has` };
  }
  const baseUrl = builtin.baseUrl ?? readVariable(names.baseUrl, environment) ?? access.defaultUrl;
  if (baseUrl === undefined) return describeMissingUrl(access);
  if (!isHttpUrl(baseUrl)) {
    const source = builtin.baseUrl === undefined ? names.baseUrl : 'baseUrl of the agent';
    return { message: `${source} is not an address that begins with http:// or https://` };
  }
  const known = provider === 'any-openai' ? detectProvider(baseUrl) : provider;
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

/** Chooses the pair of variables that has what the Agent file leaves open. */
function chooseVariables(
  builtin: BuiltinData,
  { variables, keyIsOptional }: Access,
  environment: NodeJS.ProcessEnv,
): Variables {
  const needsUrl = builtin.apiKey !== undefined || keyIsOptional;
  const decisive = needsUrl && builtin.baseUrl === undefined ? 'baseUrl' : 'key';
  const pair = variables.find((names) => readVariable(names[decisive], environment) !== undefined);
  const { key, baseUrl } = pair ?? variables[0];
  return { key: builtin.apiKey ?? key, baseUrl };
}

function findKey(name: string, environment: NodeJS.ProcessEnv): Endpoint['apiKey'] {
  const value = readVariable(name, environment);
  return value === undefined ? undefined : { name, value };
}

function readVariable(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const value = environment[name]?.trim();
  return value === '' ? undefined : value;
}

function isOpenaiLike(provider: ModelProvider): boolean {
  return provider === 'openai' || provider === 'openai-compatible';
}

/** OpenAI's library knows settings of some of its models; the compatible one knows the reasoning of others. */
function detectProvider(baseUrl: string): ModelProvider {
  return new URL(baseUrl).hostname === 'api.openai.com' ? 'openai' : 'openai-compatible';
}

function describeMissingKey({ apiKey }: BuiltinData, { variables }: Access): AgentProblem {
  const names = apiKey === undefined ? variables.map(({ key }) => key) : [apiKey];
  const anyText = variables.includes(modelVariables)
    ? ' (any text, if the endpoint wants none)'
    : '';
  return {
    message: `there is no API key: ${names.join(' or ')} is not set`,
    hint: `set ${names.join(' or ')}${anyText}`,
  };
}

function describeMissingUrl({ variables }: Access): AgentProblem {
  const names = variables.map(({ baseUrl }) => baseUrl).join(' or ');
  return {
    message: 'there is no address of the model API',
    hint: `give the agent a baseUrl, or set ${names}`,
  };
}

const number = z.number();
const count = z.int().check(z.positive());
const text = z.string();

/** `params` of the Agent file; most of them go to the model API as they are. */
const paramsSchema = z.strictObject({
  temperature: z.exactOptional(number),
  topP: z.exactOptional(number),
  topK: z.exactOptional(number),
  presencePenalty: z.exactOptional(number),
  frequencyPenalty: z.exactOptional(number),
  maxOutputTokens: z.exactOptional(count),
  seed: z.exactOptional(z.int()),
  stopSequences: z.exactOptional(z.array(text)),
  /** The system message, which comes before the prompt. */
  system: z.exactOptional(text),
  /** How many requests to the model a task run may make. */
  maxSteps: z.exactOptional(count),
  stream: z.exactOptional(z.boolean()),
});

export type ModelParams = z.infer<typeof paramsSchema>;

const knownParams = Object.keys(paramsSchema.shape);

/** What a param has to be, in words, where it is not just a number. */
const expectedTypes: Record<string, string> = {
  maxOutputTokens: 'a whole number above 0',
  seed: 'a whole number',
  stopSequences: 'a list of texts',
  system: 'a text',
  maxSteps: 'a whole number above 0',
  stream: 'true or false',
};

function readModelParams(params: unknown): { params: ModelParams; problems: AgentProblem[] } {
  const { data, error } = paramsSchema.safeParse(params ?? {});
  if (data) return { params: data, problems: [] };
  return { params: {}, problems: error.issues.flatMap(describeParamIssue) };
}

function describeParamIssue(issue: z.core.$ZodIssue): AgentProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      message: `unknown setting ${JSON.stringify(key)} in params of the agent`,
      hint: didYouMean(key, knownParams) ?? `known are ${knownParams.join(', ')}`,
    }));
  }
  const name = String(issue.path[0]);
  return [
    { message: `params.${name} of the agent has to be ${expectedTypes[name] ?? 'a number'}` },
  ];
}
