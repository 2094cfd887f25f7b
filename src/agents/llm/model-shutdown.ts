import * as z from 'zod/mini';
import { HttpError } from '../../base/http/http-error.js';
import { exchange } from '../../base/http/transfer.js';
import { findShutdown } from '../../config/models.js';
import type { ModelShutdown } from '../agent.js';
import type { Endpoint } from './endpoint.js';

/** What OpenAI, and whoever follows it, says about one of its models. */
const modelSchema = z.object({ shutdown_date: z.nullable(z.iso.date()) });

const maxBytes = 1024 * 1024;
const maxWaitMs = 10_000;

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * When the model is shut down: as its provider says, else as was known when Proctor was made. Of the
 * providers only OpenAI's API of models has the day. Anthropic's and Google's do not; Google's says it
 * in answers, which cost money.
 */
export async function askShutdown(
  endpoint: Endpoint,
  context: Context,
): Promise<ModelShutdown | undefined> {
  const { provider, model } = endpoint;
  const isOpenaiLike = provider === 'openai' || provider === 'openai-compatible';
  const given = isOpenaiLike ? await askProvider(endpoint, context) : undefined;
  if (given === null) return undefined;
  const date = given ?? findShutdown(provider, model);
  if (date === undefined) return undefined;
  return { model: `${provider}:${model}`, date, isFromProvider: given !== undefined };
}

/** Null: no day is announced. Undefined: it does not say, or does not answer. */
async function askProvider(
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
    return modelSchema.safeParse(parsed(answer.body)).data?.shutdown_date;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
