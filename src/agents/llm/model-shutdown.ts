import * as z from 'zod/mini';
import { HttpError } from '../../base/http/http-error.js';
import { exchange } from '../../base/http/transfer.js';
import { findShutdown } from '../../config/models.js';
import type { ModelShutdown } from '../agent.js';
import type { Endpoint } from './model-settings.js';

/** The answer of OpenAI's API of models, and of APIs like it. */
const modelSchema = z.object({ shutdown_date: z.nullable(z.iso.date()) });

const maxBytes = 1024 * 1024;
const maxWaitMs = 10_000;

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Finds when a model is shut down: as its provider says, else as was known when Proctor was built. Of the
 * providers only OpenAI's API of models has the day. Anthropic's and Google's do not; Google's says it
 * in answers, which cost money.
 */
export async function fetchShutdown(
  endpoint: Endpoint,
  context: Context,
): Promise<ModelShutdown | undefined> {
  const { provider, model } = endpoint;
  const isOpenaiLike = provider === 'openai' || provider === 'openai-compatible';
  const announced = isOpenaiLike ? await fetchAnnouncedDate(endpoint, context) : undefined;
  if (announced === null) return undefined;
  const date = announced ?? findShutdown(provider, model);
  if (date === undefined) return undefined;
  return { model: `${provider}:${model}`, date, isFromProvider: announced !== undefined };
}

/** Asks the provider for the date. Null: none is announced. Undefined: it does not say, or does not answer. */
async function fetchAnnouncedDate(
  { baseUrl, model, apiKey }: Endpoint,
  { environment, signal }: Context,
): Promise<string | null | undefined> {
  const url = `${baseUrl.replace(/\/+$/, '')}/models/${encodeURIComponent(model)}`;
  const headers = apiKey ? { authorization: `Bearer ${apiKey.value}` } : {};
  try {
    const answer = await exchange(
      { url, headers },
      {
        environment,
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]),
        maxBytes,
        followRedirects: false,
      },
    );
    if (answer.status !== 200) return undefined;
    return modelSchema.safeParse(parseJsonBody(answer.body)).data?.shutdown_date;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

function parseJsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
