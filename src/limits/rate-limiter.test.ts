import { describe, expect, it } from 'vitest';
import { findAllowance, type Rate } from './rate-limiter.js';

const gpt = { provider: 'openai', model: 'gpt-5' };

describe('the allowance of a model', () => {
  const rates: Rate[] = [
    { requestsPerMinute: 1, tokensPerMinute: 1 },
    { provider: 'openai', model: 'gpt-5', requestsPerMinute: 4 },
    { provider: 'openai', requestsPerMinute: 2, tokensPerMinute: 2 },
    { model: 'gpt-5', requestsPerMinute: 3, tokensPerMinute: 3 },
  ];

  it.each([
    [gpt, { requestsPerMinute: 4, tokensPerMinute: 3 }],
    [
      { provider: 'openai-compatible', model: 'gpt-5' },
      { requestsPerMinute: 3, tokensPerMinute: 3 },
    ],
    [
      { provider: 'openai', model: 'gpt-5-mini' },
      { requestsPerMinute: 2, tokensPerMinute: 2 },
    ],
    [
      { provider: 'google', model: 'gemini' },
      { requestsPerMinute: 1, tokensPerMinute: 1 },
    ],
  ])('%j has the numbers of the most specific rates: %j', (model, expected) => {
    expect(findAllowance(model, [rates])).toEqual(expected);
    expect(findAllowance(model, [[...rates].reverse()])).toEqual(expected);
  });

  it('has each number from the first list that has it', () => {
    expect(findAllowance(gpt, [[{ requestsPerMinute: 9 }], rates])).toEqual({
      requestsPerMinute: 9,
      tokensPerMinute: 3,
    });
  });

  it('has no limit where nothing is said', () => {
    expect(findAllowance(gpt, [])).toEqual({});
    expect(findAllowance(gpt, [[{ provider: 'google', requestsPerMinute: 1 }]])).toEqual({});
  });
});
