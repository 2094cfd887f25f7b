import { expect, it } from 'vitest';
import { sanitizeAmounts } from './usage-schema.js';

const usage = { inputTokens: 3, outputTokens: 1 };

it('keeps what can be', () => {
  const amounts = { usage, cost: 0, judge: { usage, cost: 0.5 } };
  expect(sanitizeAmounts(amounts)).toEqual(amounts);
  expect(sanitizeAmounts({})).toEqual({});
  expect(sanitizeAmounts({ judge: {} })).toEqual({ judge: {} });
});

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
  'takes an amount of %d for one that is not known',
  (number) => {
    const wrong = { usage: { ...usage, inputTokens: number }, cost: number };
    expect(sanitizeAmounts({ ...wrong, judge: wrong })).toEqual({ judge: {} });
  },
);

it('takes a part of a token for an amount that is not known', () => {
  expect(sanitizeAmounts({ usage: { ...usage, reasoningTokens: 0.5 } })).toEqual({});
});
