import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelProvider } from '../../config/models.js';
import type { Endpoint } from './endpoint.js';
import { createModelFetch } from './model-fetch.js';

interface Provider {
  createModel(endpoint: Endpoint, fetch: typeof globalThis.fetch): LanguageModelV3;
}

/** Each brings a library of its own, which is loaded when it is used. */
const providers: Record<ModelProvider, () => Promise<Provider>> = {
  openai: () => import('./providers/openai.js'),
  anthropic: () => import('./providers/anthropic.js'),
  google: () => import('./providers/google.js'),
  'openai-compatible': () => import('./providers/openai-compatible.js'),
};

/** Makes a model that tells when it begins to answer. */
export type MakeModel = (onAnswer: () => void) => LanguageModelV3;

/** The environment is for proxies and certificates. */
export async function loadModel(
  endpoint: Endpoint,
  environment: NodeJS.ProcessEnv,
): Promise<MakeModel> {
  // OpenAI's own library is the one that speaks the Responses API, whoever offers it.
  const { createModel } = await providers[endpoint.usesResponses ? 'openai' : endpoint.provider]();
  return (onAnswer) => createModel(endpoint, createModelFetch(environment, onAnswer));
}
