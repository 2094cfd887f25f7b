import { expect, it } from 'vitest';
import { RawJson } from '../../base/json-text.js';
import type { StepAccount } from '../../journal/step-events.js';
import { boundedAccount } from './bounded-account.js';

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length)} …`;

const account = (text: string): StepAccount => ({
  request: { method: 'GET', url: `http://127.0.0.1/${text}`, headers: { 'x-answer': text } },
  args: new RawJson(JSON.stringify({ text })),
  judgement: {
    mode: 'contains',
    reference: text,
    passed: true,
    reason: 'fine',
    failureCategory: 'n/a',
    votes: [],
  },
  unmet: ['status is 500'],
});

it('leaves alone what is not too long', () => {
  expect(boundedAccount(account('short'), cut)).toEqual(account('short'));
  expect(boundedAccount({}, cut)).toEqual({});
});

it('cuts what a placeholder has made too long', () => {
  const { args, request, judgement, unmet } = boundedAccount(account('x'.repeat(300_000)), cut);
  expect(args).toBeUndefined();
  expect(request?.url).toHaveLength(8 * 1024 + 2);
  expect(request?.headers['x-answer']).toHaveLength(8 * 1024 + 2);
  expect(judgement?.reference).toHaveLength(64 * 1024 + 2);
  expect(judgement).toMatchObject({ passed: true, reason: 'fine' });
  expect(unmet).toEqual(['status is 500']);
});
