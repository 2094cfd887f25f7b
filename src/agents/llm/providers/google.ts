import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Endpoint } from '../endpoint.js';

export function createModel(
  { baseUrl, apiKey, model }: Endpoint,
  fetch: typeof globalThis.fetch,
): LanguageModelV3 {
  const address = baseUrl.replace(/\/+$/, '');
  const provider = createGoogleGenerativeAI({
    // GOOGLE_GEMINI_BASE_URL is usually without the version.
    baseURL: /\/v\d\w*$/.test(address) ? address : `${address}/v1beta`,
    apiKey: apiKey?.value ?? '',
    fetch,
  });
  return provider(model);
}
