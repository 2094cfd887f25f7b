import type { IncomingMessage } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { Connection } from '../../base/http/connection.js';
import { checkRequest } from '../../base/http/http-request.js';
import { sendRequest } from '../../base/http/transfer.js';
import type { ModelProvider } from '../../config/models.js';
import type { Endpoint } from './model-settings.js';

type CreateModel = (endpoint: Endpoint, fetch: typeof globalThis.fetch) => LanguageModelV3;

/** Each provider brings a library of its own, which is loaded only when it is used. */
const providers: Record<ModelProvider, () => Promise<CreateModel>> = {
  /** Over the chat API unless asked otherwise: what stands behind OPENAI_BASE_URL may know no other. */
  async openai() {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return ({ baseUrl, apiKey, model, usesResponses }, fetch) => {
      const provider = createOpenAI({ baseURL: baseUrl, apiKey: apiKey?.value ?? '', fetch });
      return usesResponses ? disableStore(provider.responses(model)) : provider.chat(model);
    };
  },

  async anthropic() {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return ({ baseUrl, apiKey, model }, fetch) => {
      const address = baseUrl.replace(/\/+$/, '');
      // ANTHROPIC_BASE_URL is usually without the version.
      const baseURL = address.endsWith('/v1') ? address : `${address}/v1`;
      return createAnthropic({ baseURL, apiKey: apiKey?.value ?? '', fetch })(model);
    };
  },

  async google() {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return ({ baseUrl, apiKey, model }, fetch) => {
      const address = baseUrl.replace(/\/+$/, '');
      // GOOGLE_GEMINI_BASE_URL is usually without the version.
      const baseURL = /\/v\d\w*$/.test(address) ? address : `${address}/v1beta`;
      return createGoogleGenerativeAI({ baseURL, apiKey: apiKey?.value ?? '', fetch })(model);
    };
  },

  async 'openai-compatible'() {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return ({ baseUrl, apiKey, model }, fetch) =>
      createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: baseUrl,
        includeUsage: true,
        fetch,
        ...(apiKey && { apiKey: apiKey.value }),
      }).chatModel(model);
  },
};

/**
 * Makes every request carry the whole conversation: what OpenAI would store meanwhile is missing for
 * accounts with zero data retention, and at endpoints of others.
 */
function disableStore(model: LanguageModelV3): LanguageModelV3 {
  const withoutStore = (options: LanguageModelV3CallOptions) => ({
    ...options,
    providerOptions: { ...options.providerOptions, openai: { store: false } },
  });
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return {
    ...{ specificationVersion, provider, modelId, supportedUrls },
    doGenerate: (options) => model.doGenerate(withoutStore(options)),
    doStream: (options) => model.doStream(withoutStore(options)),
  };
}

/** Makes a model that calls `onAnswer` when it begins to answer. */
export type MakeModel = (onAnswer: () => void) => LanguageModelV3;

/** Loads the library for a model. The environment is for proxies and certificates. */
export async function loadModel(
  endpoint: Endpoint,
  environment: NodeJS.ProcessEnv,
): Promise<MakeModel> {
  // Only OpenAI's own library speaks the Responses API, whichever endpoint offers it.
  const createModel = await providers[endpoint.usesResponses ? 'openai' : endpoint.provider]();
  return (onAnswer) => createModel(endpoint, createModelFetch(environment, onAnswer));
}

const maxAnswerBytes = 64 * 1024 * 1024;

/** Answers with these come without a body, on which a Response insists. */
const emptyStatuses = [204, 205, 304];

/**
 * Replaces the global `fetch` for model APIs: that one gives up when a model thinks
 * for five minutes, follows redirects with the key in a header, and knows no proxies. `onAnswer` is
 * called when an answer begins, however long it takes to end, and not for an error of the API.
 */
export function createModelFetch(
  environment: NodeJS.ProcessEnv,
  onAnswer: () => void = () => {},
): typeof fetch {
  return async (input, { body, headers, signal } = {}) => {
    if (typeof body !== 'string') throw new TypeError('a question to a model is a text');
    // A connection of its own: one that was kept alive may be dead by now.
    const connection = new Connection({ environment, ...(signal && { signal }) });
    try {
      const request = checkRequest({
        url: String(input),
        method: 'POST',
        headers: Object.fromEntries(new Headers(headers)),
        body,
      });
      const response = createResponse(
        await sendRequest(request, connection, environment),
        connection,
      );
      if (response.ok) onAnswer();
      return response;
    } catch (error) {
      connection.close();
      signal?.throwIfAborted();
      // In the words of fetch, which the providers' libraries know.
      throw new TypeError('fetch failed', { cause: error });
    }
  };
}

function createResponse(message: IncomingMessage, connection: Connection): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    headers.set(name, values.join(', '));
  }
  if (!emptyStatuses.includes(status)) {
    const body = ReadableStream.from(readChunks(message, connection));
    return new Response(body, { status, headers });
  }
  connection.close();
  return new Response(null, { status, headers });
}

async function* readChunks(
  message: IncomingMessage,
  connection: Connection,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) throw new Error(`it is longer than ${maxAnswerBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw new TypeError('the answer broke off', { cause: error });
  } finally {
    connection.close();
  }
}
