import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelProvider } from '../../config/schemas/model-providers.js';
import type { Endpoint } from './endpoint.js';

interface Provider {
  createModel(endpoint: Endpoint): LanguageModelV3;
}

/** Each brings a library of its own, which is loaded when it is used. */
const providers: Record<ModelProvider, () => Promise<Provider>> = {
  openai: () => import('./providers/openai.js'),
  anthropic: () => import('./providers/anthropic.js'),
  google: () => import('./providers/google.js'),
  'openai-compatible': () => import('./providers/openai-compatible.js'),
};

export async function loadModel(endpoint: Endpoint): Promise<LanguageModelV3> {
  const { createModel } = await providers[endpoint.provider]();
  return createModel(endpoint);
}
