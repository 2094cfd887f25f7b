import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { Endpoint } from '../endpoint.js';

/** Over the chat API unless asked otherwise: what stands behind OPENAI_BASE_URL may know no other. */
export function createModel(endpoint: Endpoint, fetch: typeof globalThis.fetch): LanguageModelV3 {
  const { baseUrl, apiKey, model, usesResponses } = endpoint;
  const provider = createOpenAI({
    baseURL: baseUrl,
    apiKey: apiKey?.value ?? '',
    fetch,
  });
  return usesResponses ? withoutStore(provider.responses(model)) : provider.chat(model);
}

/**
 * A model to which each question tells the whole conversation: what OpenAI would keep meanwhile is
 * not there for accounts that keep nothing, nor at endpoints of others.
 */
function withoutStore(model: LanguageModelV3): LanguageModelV3 {
  const unstored = (options: LanguageModelV3CallOptions) => ({
    ...options,
    providerOptions: { ...options.providerOptions, openai: { store: false } },
  });
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    ...{ specificationVersion, provider, modelId, supportedUrls },
    doGenerate: (options) => model.doGenerate(unstored(options)),
    doStream: (options) => model.doStream(unstored(options)),
  };
}
