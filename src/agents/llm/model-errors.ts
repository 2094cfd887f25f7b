import { APICallError } from '@ai-sdk/provider';
import { HttpError, type HttpErrorCode } from '../../base/http/http-error.js';
import { truncate } from '../../base/text.js';
import type { AgentFailure } from '../agent.js';
import type { Endpoint } from './model-settings.js';

/** The model answered, but the conversation cannot reach a usable end. The message is shown to users. */
export class ConversationError extends Error {
  override name = 'ConversationError';
}

/** The model API answered with something that cannot be understood. */
export class UnreadableAnswerError extends Error {
  override name = 'UnreadableAnswerError';
}

/** Neither an answer nor an error has come from the model API so far. */
export class SilentModelError extends Error {
  constructor() {
    super('it has not answered');
    this.name = 'SilentModelError';
  }
}

/** A request failed for the last time; its cause is the error of that attempt. */
export class RetriesExhaustedError extends Error {
  readonly attempts: number;

  constructor(attempts: number, cause: unknown) {
    super('the model was asked several times', { cause });
    this.name = 'RetriesExhaustedError';
    this.attempts = attempts;
  }
}

/**
 * The kinds of error of a model API, which decide about retries. `busy`: it may work later.
 * `unreachable`: no answer came. `absent`: nothing listens there, which seldom changes soon. `barred`:
 * there is no way to it from here. `unreadable`: the answer makes no sense, and the next one may.
 * `refused`: a retry is of no use.
 */
export type ModelErrorKind =
  | 'busy'
  | 'unreachable'
  | 'absent'
  | 'barred'
  | 'unreadable'
  | 'refused'
  | 'other';

const busyStatuses = new Set([408, 409, 429, 500, 502, 503, 504, 529]);

/** Errors that a provider's library gives for an answer it does not understand. */
const unreadableErrors = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
  'UnreadableAnswerError',
]);

export function classifyModelError(error: unknown): ModelErrorKind {
  if (APICallError.isInstance(error)) return classifyApiCallError(error);
  // In a stream: the connection broke, or the API reports trouble of its own.
  if (!(error instanceof Error) || error instanceof TypeError) return 'unreadable';
  return unreadableErrors.has(error.name) ? 'unreadable' : 'other';
}

/** Statuses of an API that is overloaded, and says for how long. */
const overloadedStatuses = new Set([503, 529]);

/** Whether the API says that it gets too many requests, which holds for all task runs that use it. */
export function isSlowDownError(error: unknown): boolean {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return false;
  const { statusCode, responseHeaders } = error;
  if (statusCode === 429) return true;
  return overloadedStatuses.has(statusCode) && parseRetryAfter(responseHeaders) !== undefined;
}

const kindsOfConnection: Partial<Record<HttpErrorCode, ModelErrorKind>> = {
  refused: 'absent',
  'host-not-found': 'absent',
  proxy: 'absent',
  tls: 'barred',
  environment: 'barred',
};

function classifyApiCallError({
  statusCode,
  responseBody = '',
  cause,
}: APICallError): ModelErrorKind {
  if (statusCode === undefined) {
    const code = cause instanceof HttpError ? cause.code : undefined;
    return (code && kindsOfConnection[code]) ?? 'unreachable';
  }
  if (statusCode === 200) return 'unreadable';
  // Nothing to wait for: the account has no money left.
  if (responseBody.includes('insufficient_quota')) return 'refused';
  return busyStatuses.has(statusCode) ? 'busy' : 'refused';
}

/** How long an API asks to wait, in milliseconds. Its headers hold milliseconds, seconds or a date. */
export function parseRetryAfter(headers: Record<string, string> = {}): number | undefined {
  const { 'retry-after-ms': milliseconds, 'retry-after': value } = headers;
  if (milliseconds !== undefined && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Says why a conversation with a model ended early. */
export function describeModelFailure(error: unknown, endpoint: Endpoint): AgentFailure {
  if (error instanceof ConversationError) return { code: 'failed', message: error.message };
  const { attempts, cause } =
    error instanceof RetriesExhaustedError ? error : { attempts: 1, cause: error };
  const message = `${formatFailureMessage(cause, endpoint)}${attempts > 1 ? `, ${attempts} times` : ''}`;
  const details = redactKey(formatFailureDetails(cause), endpoint);
  return { code: 'failed', message, ...(details !== '' && { details }) };
}

function formatFailureMessage(error: unknown, { model, baseUrl, apiKey }: Endpoint): string {
  const { host } = new URL(baseUrl);
  if (error instanceof SilentModelError) return `the model API at ${host} did not answer in time`;
  switch (classifyModelError(error)) {
    case 'unreachable':
    case 'absent':
    case 'barred':
      return `the model API at ${host} could not be reached${formatObstacle(error)}`;
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
      const wait = Math.ceil((parseRetryAfter(responseHeaders) ?? 0) / 1_000);
      const patience = wait > 0 ? `, and asks to wait ${wait} s` : '';
      return `the model API at ${host} limits how often it is asked (HTTP 429${patience})`;
    }
  }
  const verb = status >= 500 ? 'failed' : 'refused the request';
  return `the model API at ${host} ${verb} (HTTP ${status})`;
}

/** Names what is in the way where users can remove it: proxy, certificates, environment. */
function formatObstacle(error: unknown): string {
  const { cause } = APICallError.isInstance(error) ? error : {};
  const isOurs = cause instanceof HttpError && ['proxy', 'tls', 'environment'].includes(cause.code);
  return isOurs ? ` (${cause.message})` : '';
}

const maxDetails = 10_000;

function formatFailureDetails(error: unknown): string {
  if (APICallError.isInstance(error)) {
    const { message, responseBody = '', cause } = error;
    const reason = cause instanceof Error ? cause.message : '';
    return [message, reason, responseBody].filter((text) => text !== '').join('\n');
  }
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : '';
}

/** Takes the API key out of a text: some APIs quote the key that they do not accept. */
function redactKey(text: string, { apiKey }: Endpoint): string {
  const safe = apiKey ? text.replaceAll(apiKey.value, `[redacted:${apiKey.name}]`) : text;
  return truncate(safe, maxDetails);
}
