import { APICallError } from '@ai-sdk/provider';
import { HttpError, type HttpErrorCode } from '../../base/http/http-error.js';
import { retryAfter } from './retry-after.js';

/** An answer that came, and makes no sense. */
export class UnreadableAnswer extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableAnswer';
  }
}

/** No answer has come, nor an error. */
export class SilentModel extends Error {
  constructor() {
    super('it has not answered');
    this.name = 'SilentModel';
  }
}

/**
 * What an error of a model API is. `busy`: it may work later. `unreachable`: no answer came.
 * `absent`: nobody is there, which seldom changes soon. `barred`: there is no way to it from here.
 * `unreadable`: an answer came that makes no sense, and the next may. `refused`: asking again is of
 * no use.
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
  'UnreadableAnswer',
]);

export function kindOf(error: unknown): ModelErrorKind {
  if (APICallError.isInstance(error)) return kindOfCall(error);
  // In a stream: the connection broke, or the API tells of a trouble of its own.
  if (!(error instanceof Error) || error instanceof TypeError) return 'unreadable';
  return unreadableErrors.has(error.name) ? 'unreadable' : 'other';
}

/** Statuses of an API that is overloaded, and says for how long. */
const overloadedStatuses = new Set([503, 529]);

/** Whether the API says that it is asked too much: that is so for everybody who asks it. */
export function saysSlowDown(error: unknown): boolean {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return false;
  const { statusCode, responseHeaders } = error;
  if (statusCode === 429) return true;
  return overloadedStatuses.has(statusCode) && retryAfter(responseHeaders) !== undefined;
}

const kindsOfConnection: Partial<Record<HttpErrorCode, ModelErrorKind>> = {
  refused: 'absent',
  'host-not-found': 'absent',
  proxy: 'absent',
  tls: 'barred',
  environment: 'barred',
};

function kindOfCall({ statusCode, responseBody = '', cause }: APICallError): ModelErrorKind {
  if (statusCode === undefined) {
    const code = cause instanceof HttpError ? cause.code : undefined;
    return (code && kindsOfConnection[code]) ?? 'unreachable';
  }
  if (statusCode === 200) return 'unreadable';
  // Nothing to wait for: the account has no money left.
  if (responseBody.includes('insufficient_quota')) return 'refused';
  return busyStatuses.has(statusCode) ? 'busy' : 'refused';
}
