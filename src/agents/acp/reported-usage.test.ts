import { expect, it } from 'vitest';
import { readReportedCost, readReportedUsage } from './reported-usage.js';

it('what came from the cache is part of the input, however the agent counts', () => {
  const usage = { inputTokens: 10, outputTokens: 5, cachedReadTokens: 4, cachedWriteTokens: 3 };
  const expected = { outputTokens: 5, cachedInputTokens: 4, cacheWriteTokens: 3 };
  expect(readReportedUsage({ usage: { ...usage, totalTokens: 15 } })).toEqual({
    inputTokens: 10,
    ...expected,
  });
  expect(readReportedUsage({ usage: { ...usage, totalTokens: 22 } })).toEqual({
    inputTokens: 17,
    ...expected,
  });
});

it('reasoning tokens are reported where the agent reports them', () => {
  const usage = { inputTokens: 10, outputTokens: 5, thoughtTokens: 2 };
  expect(readReportedUsage({ usage })).toEqual({
    inputTokens: 10,
    outputTokens: 5,
    reasoningTokens: 2,
  });
});

it('the form of gemini is understood', () => {
  const _meta = { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } };
  expect(readReportedUsage({ _meta })).toEqual({ inputTokens: 7, outputTokens: 3 });
});

it.each([
  {},
  { usage: null },
  { usage: { inputTokens: 1 } },
  { usage: { inputTokens: -1, outputTokens: 1 } },
  { usage: { inputTokens: '1', outputTokens: 1 } },
])('%j reports no usage', (answer) => {
  expect(readReportedUsage(answer)).toBeUndefined();
});

it('a cost counts if it is in US dollars', () => {
  const update = { sessionUpdate: 'usage_update', used: 1, size: 2 };
  expect(readReportedCost({ ...update, cost: { amount: 0.5, currency: 'USD' } })).toBe(0.5);
  expect(readReportedCost({ ...update, cost: { amount: 0.5, currency: 'EUR' } })).toBeUndefined();
  expect(readReportedCost(update)).toBeUndefined();
});
