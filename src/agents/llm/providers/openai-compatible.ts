import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Endpoint } from '../endpoint.js';

export function createModel(
  { baseUrl, apiKey, model }: Endpoint,
  fetch: typeof globalThis.fetch,
): LanguageModelV3 {
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    includeUsage: true,
    fetch,
    ...(apiKey && { apiKey: apiKey.value }),
  });
  return provider.chatModel(model);
}
