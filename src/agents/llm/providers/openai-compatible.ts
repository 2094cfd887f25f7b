import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Endpoint } from '../endpoint.js';
import { modelFetch } from '../model-fetch.js';

export function createModel({ baseUrl, apiKey, model }: Endpoint): LanguageModelV3 {
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    includeUsage: true,
    fetch: modelFetch,
    ...(apiKey && { apiKey: apiKey.value }),
  });
  return provider.chatModel(model);
}
