import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Endpoint } from '../endpoint.js';

export function createModel(
  { baseUrl, apiKey, model }: Endpoint,
  fetch: typeof globalThis.fetch,
): LanguageModelV3 {
  const address = baseUrl.replace(/\/+$/, '');
  const provider = createAnthropic({
    // ANTHROPIC_BASE_URL is usually without the version.
    baseURL: address.endsWith('/v1') ? address : `${address}/v1`,
    apiKey: apiKey?.value ?? '',
    fetch,
  });
  return provider(model);
}
