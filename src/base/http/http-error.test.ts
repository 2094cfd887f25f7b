import { expect, it } from 'vitest';
import { toConnectionError } from './http-error.js';

const failure = (code: string) => Object.assign(new Error('it failed'), { code });

it.each([
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'host-not-found'],
  ['EAI_FAIL', 'host-not-found'],
  // A name server that did not answer: trying again may help.
  ['EAI_AGAIN', 'unreachable'],
  ['ECONNRESET', 'reset'],
  ['ENETUNREACH', 'unreachable'],
])('takes %s for %s', (code, expected) => {
  expect(toConnectionError(failure(code), 'model.test')).toMatchObject({ code: expected });
});
