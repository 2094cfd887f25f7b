import type { AnswerHead } from '../../base/http/transfer.js';
import { ExtensionError } from '../extension-definition.js';
import { PassingFailure } from './retries.js';

/** The error for an answer that does not bring what was asked for. */
export function refusal({ status, headers }: AnswerHead, asked: string): Error {
  if (status >= 500) return new PassingFailure(`${asked}: the server answered ${status}`);
  if (isRateLimit(status, headers['x-ratelimit-remaining'])) {
    return new ExtensionError(
      `GitHub's limit of requests is used up${untilWhen(headers['x-ratelimit-reset'])}`,
      { hint: 'set GITHUB_TOKEN: with a token the limit is far higher' },
    );
  }
  const hint = status === 401 ? { hint: 'look at the token in GITHUB_TOKEN or GH_TOKEN' } : {};
  return new ExtensionError(`${asked}: the server answered ${status}`, hint);
}

function isRateLimit(status: number, remaining: string | undefined): boolean {
  return status === 429 || (status === 403 && remaining === '0');
}

/** In seconds since 1970. */
function untilWhen(reset: string | undefined): string {
  const date = new Date(Number(reset) * 1000);
  return Number.isNaN(date.getTime()) ? '' : ` until ${date.toISOString()}`;
}
