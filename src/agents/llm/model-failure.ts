import { APICallError } from '@ai-sdk/provider';
import { HttpError } from '../../base/http/http-error.js';
import { truncate } from '../../base/text.js';
import type { AgentFailure } from '../agent.js';
import { ConversationFailure } from './conversation-failure.js';
import type { Endpoint } from './endpoint.js';
import { kindOf, SilentModel } from './model-error.js';
import { GaveUp } from './retries.js';
import { retryAfter } from './retry-after.js';

/** Why a conversation with a model ended early. */
export function failureOf(error: unknown, endpoint: Endpoint): AgentFailure {
  if (error instanceof ConversationFailure) return { code: 'failed', message: error.message };
  const { attempts, cause } = error instanceof GaveUp ? error : { attempts: 1, cause: error };
  const message = `${sentenceFor(cause, endpoint)}${attempts > 1 ? `, ${attempts} times` : ''}`;
  const details = withoutKey(detailsOf(cause), endpoint);
  return { code: 'failed', message, ...(details !== '' && { details }) };
}

function sentenceFor(error: unknown, { model, baseUrl, apiKey }: Endpoint): string {
  const { host } = new URL(baseUrl);
  if (error instanceof SilentModel) return `the model API at ${host} did not answer in time`;
  switch (kindOf(error)) {
    case 'unreachable':
    case 'absent':
    case 'barred':
      return `the model API at ${host} could not be reached${obstacle(error)}`;
    case 'unreadable':
      return `the answer of the model ${model} could not be understood`;
    case 'other':
      return `the model ${model} could not be asked`;
  }
  const { statusCode: status = 0, responseHeaders } = APICallError.isInstance(error) ? error : {};
  switch (status) {
    case 401:
    case 403:
      return apiKey
        ? `the model API at ${host} did not accept the key in ${apiKey.name} (HTTP ${status})`
        : `the model API at ${host} wants a key (HTTP ${status})`;
    case 404:
      return `the model API at ${host} has no model ${model}, or is not there (HTTP 404)`;
    case 429: {
      const wait = Math.ceil((retryAfter(responseHeaders) ?? 0) / 1_000);
      const patience = wait > 0 ? `, and asks to wait ${wait} s` : '';
      return `the model API at ${host} limits how often it is asked (HTTP 429${patience})`;
    }
  }
  const verb = status >= 500 ? 'failed' : 'refused the request';
  return `the model API at ${host} ${verb} (HTTP ${status})`;
}

/** What is in the way and can be removed here. Who just does not listen is no obstacle. */
function obstacle(error: unknown): string {
  const { cause } = APICallError.isInstance(error) ? error : {};
  const isOurs = cause instanceof HttpError && ['proxy', 'tls', 'environment'].includes(cause.code);
  return isOurs ? ` (${cause.message})` : '';
}

const maxDetails = 10_000;

function detailsOf(error: unknown): string {
  if (APICallError.isInstance(error)) {
    const { message, responseBody = '', cause } = error;
    const reason = cause instanceof Error ? cause.message : '';
    return [message, reason, responseBody].filter((text) => text !== '').join('\n');
  }
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : '';
}

/** Some APIs quote the key that they do not accept. */
function withoutKey(text: string, { apiKey }: Endpoint): string {
  const safe = apiKey ? text.replaceAll(apiKey.value, `[redacted:${apiKey.name}]`) : text;
  return truncate(safe, maxDetails);
}
