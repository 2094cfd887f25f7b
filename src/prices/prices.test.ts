import { describe, expect, it } from 'vitest';
import { priceTable } from './price-table.js';
import { Prices } from './prices.js';
import { costOfTokens } from './token-cost.js';

const mini = { input: 0.25, cachedInput: 0.025, output: 2 };

describe('a price', () => {
  const prices = new Prices();

  it.each([
    ['openai', 'gpt-5-mini'],
    ['openai', 'gpt-5-mini-2025-08-07'],
    ['anthropic', 'claude-haiku-4-5-20251001'],
    ['anthropic', 'claude-3-5-haiku-latest'],
    ['google', 'gemini-2.0-flash-001'],
  ])('is known of %s:%s', (provider, model) => {
    expect(prices.of(provider, model)).toMatchObject({ input: expect.any(Number) });
  });

  it.each([
    ['openai', 'gpt-5-mini-high'],
    ['openai', 'gpt-5-minimal'],
    ['openai', 'gpt-5-mini-20250807'],
    ['openai', 'gpt-5-mini-2025-08-07-turbo'],
    ['openai', 'gpt-5.9'],
    ['openai', 'gpt'],
    ['openai', ''],
    ['openai', '-2025-08-07'],
    ['openai', 'constructor'],
    ['anthropic', 'claude-haiku-4-5-2025-10-01'],
    ['google', 'gemini-2.5-flash-preview-09-2025'],
    ['google', 'gemini-2.5-flash-image'],
    ['openai-compatible', 'gpt-5-mini'],
    ['anthropic', 'gpt-5-mini'],
    ['constructor', 'name'],
    ['', 'gpt-5-mini'],
  ])('is not known of %s:%s', (provider, model) => {
    expect(prices.of(provider, model)).toBeUndefined();
  });

  it('of one day is another than that of the model, where that is known', () => {
    expect(prices.of('openai', 'gpt-4o-2024-05-13')).toEqual({ input: 5, output: 15 });
    expect(prices.of('openai', 'gpt-4o-2024-08-06')).toEqual(prices.of('openai', 'gpt-4o'));
  });

  it('is that of the first name that has one', () => {
    expect(prices.of('openai', 'my-alias', 'gpt-5-mini-2025-08-07')).toEqual(mini);
    expect(prices.of('openai', 'gpt-5-mini', 'gpt-5')).toEqual(mini);
  });

  it('is what somebody wrote down, before the table', () => {
    const own = { input: 1, output: 3 };
    const written = new Prices([
      { provider: 'openai', model: 'gpt-5-mini', price: own },
      { provider: 'openai-compatible', model: 'qwen', price: own },
    ]);
    expect(written.of('openai', 'gpt-5-mini')).toEqual(own);
    expect(written.of('openai', 'gpt-5-mini-2025-08-07')).toEqual(own);
    expect(written.of('openai-compatible', 'qwen')).toEqual(own);
    expect(written.of('openai-compatible', 'qwen-2025-08-07')).toBeUndefined();
    expect(written.of('openai', 'gpt-5')).toEqual(prices.of('openai', 'gpt-5'));
  });

  it('of the table is more for output than for input, and least for what is cached', () => {
    for (const [provider, models] of Object.entries(priceTable)) {
      for (const [model, { input, cachedInput = 0, output }] of Object.entries(models)) {
        expect(output, `${provider}:${model}`).toBeGreaterThan(input);
        expect(input, `${provider}:${model}`).toBeGreaterThan(cachedInput);
      }
    }
  });
});

describe('the cost of tokens', () => {
  it('takes those out of a cache as part of the input', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
    expect(costOfTokens(mini, usage)).toBeCloseTo(0.6 * 0.25 + 0.4 * 0.025 + 0.1 * 2, 12);
  });

  it('takes thoughts as part of the output', () => {
    const usage = { inputTokens: 0, outputTokens: 500_000, reasoningTokens: 400_000 };
    expect(costOfTokens(mini, usage)).toBe(1);
  });

  it('has no discount for what is cached where the price has none', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 1_000_000, outputTokens: 0 };
    expect(costOfTokens({ input: 3, output: 15 }, usage)).toBe(3);
  });

  it('is never less than nothing, whatever an agent reports', () => {
    const usage = { inputTokens: 10, cachedInputTokens: 1_000_000, outputTokens: 0 };
    expect(costOfTokens(mini, usage)).toBeCloseTo((10 * 0.025) / 1e6, 15);
  });
});
