import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Endpoint } from '../endpoint.js';
import { modelFetch } from '../model-fetch.js';

/** Over the chat API: what stands behind OPENAI_BASE_URL may know no other. */
export function createModel({ baseUrl, apiKey, model }: Endpoint): LanguageModelV3 {
  const provider = createOpenAI({
    baseURL: baseUrl,
    apiKey: apiKey?.value ?? '',
    fetch: modelFetch,
  });
  return provider.chat(model);
}
