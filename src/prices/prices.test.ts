import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { listPrices, Prices } from './prices.js';
import { computeRequestCost, type DatedPrice } from './token-cost.js';

const mini = [{ price: { input: 0.25, cachedInput: 0.025, output: 2 } }];
const at = new Date('2026-11-18');

describe('a price', () => {
  const prices = new Prices();

  it.each([
    ['openai', 'gpt-6-luna'],
    ['openai', 'gpt-5-mini'],
    ['openai', 'gpt-5-mini-2025-08-07'],
    ['anthropic', 'claude-haiku-4-5-20251001'],
    ['anthropic', 'claude-3-5-haiku-latest'],
    ['google', 'gemini-2.0-flash-001'],
  ])('is known of %s:%s', (provider, model) => {
    expect(prices.of(provider, model)).toMatchObject([{ price: { input: expect.any(Number) } }]);
  });

  it.each([
    ['openai', 'gpt-5-mini-high'],
    ['openai', 'gpt-5-minimal'],
    ['openai', 'gpt-5-nano-turbo'],
    ['openai', 'gpt-5-mini-20250807'],
    ['openai', 'gpt-5-mini-2025-08-07-turbo'],
    ['openai', 'gpt-5.9'],
    ['openai', 'gpt'],
    ['openai', ''],
    ['openai', '-2025-08-07'],
    ['openai', 'constructor'],
    ['openai', 'gpt-oss-120b'],
    ['openai', 'gpt-4o-search-preview'],
    ['anthropic', 'claude-haiku-4-5-2025-10-01'],
    ['anthropic', 'claude-sonnet-5-turbo'],
    ['google', 'gemini-2.5-flash-image'],
    ['google', 'claude-sonnet-4-6'],
    ['openai-compatible', 'gpt-5-mini'],
    ['anthropic', 'gpt-5-mini'],
    ['constructor', 'name'],
    ['', 'gpt-5-mini'],
  ])('is not known of %s:%s', (provider, model) => {
    expect(prices.of(provider, model)).toBeUndefined();
  });

  it('of one day is another than that of the model, where that is known', () => {
    expect(prices.of('openai', 'gpt-4o-2024-05-13')).toEqual([{ price: { input: 5, output: 15 } }]);
    expect(prices.of('openai', 'gpt-4o-2024-08-06')).toEqual(prices.of('openai', 'gpt-4o'));
  });

  it('is that of the model that answered', () => {
    expect(prices.of('openai', 'my-alias', 'gpt-5-mini-2025-08-07')).toEqual(mini);
    expect(prices.of('openai', 'gpt-5', 'gpt-5-mini')).toEqual(mini);
    expect(prices.of('openai', 'gpt-5-mini', 'something-else')).toBeUndefined();
  });

  it('is the one in the price file, before the table', () => {
    const own = { input: 1, output: 3 };
    const written = new Prices([
      { provider: 'openai', model: 'gpt-5-mini', price: own },
      { provider: 'openai-compatible', model: 'qwen', price: own },
    ]);
    expect(written.of('openai', 'gpt-5-mini')).toEqual([{ price: own }]);
    expect(written.of('openai', 'gpt-5-mini-2025-08-07')).toEqual([{ price: own }]);
    expect(written.of('openai-compatible', 'qwen')).toEqual([{ price: own }]);
    expect(written.of('openai-compatible', 'qwen', 'qwen3-32b-awq')).toEqual([{ price: own }]);
    expect(written.of('openai-compatible', 'qwen-2025-08-07')).toBeUndefined();
    expect(written.of('openai', 'gpt-5')).toEqual(prices.of('openai', 'gpt-5'));
  });

  it('of the table is more for output than for input, and least for what is cached', () => {
    for (const [provider, entries] of Object.entries(listPrices)) {
      for (const { names, prices: dated } of entries) {
        for (const { price, long } of dated) {
          for (const { input, cachedInput = 0, output } of [price, ...(long ? [long.price] : [])]) {
            expect(output, `${provider}:${names[0]}`).toBeGreaterThan(input);
            expect(input, `${provider}:${names[0]}`).toBeGreaterThan(cachedInput);
          }
        }
      }
    }
  });
});

describe('the cost of a request', () => {
  const costs = (price: DatedPrice['price'], usage: object) =>
    computeRequestCost([{ price }], { usage: { inputTokens: 0, outputTokens: 0, ...usage }, at });

  it('takes tokens out of a cache and into it as part of the input, at prices of their own', () => {
    const price = { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10 };
    const usage = {
      inputTokens: 1_000_000,
      cachedInputTokens: 400_000,
      cacheWriteTokens: 100_000,
      outputTokens: 100_000,
    };
    expect(costs(price, usage)).toBeCloseTo(0.5 * 2 + 0.4 * 0.2 + 0.1 * 2.5 + 0.1 * 10, 12);
  });

  it('takes thoughts as part of the output', () => {
    const usage = { outputTokens: 500_000, reasoningTokens: 400_000 };
    expect(costs({ input: 0.25, output: 2 }, usage)).toBe(1);
  });

  it('has no price of its own for a cache where there is none', () => {
    const half = { cachedInputTokens: 500_000, cacheWriteTokens: 500_000 };
    expect(costs({ input: 3, output: 15 }, { inputTokens: 1_000_000, ...half })).toBe(3);
  });

  it.each([
    { inputTokens: 10, cachedInputTokens: 11 },
    { inputTokens: 10, cachedInputTokens: 5, cacheWriteTokens: 6 },
    { outputTokens: -1 },
    { inputTokens: Number.NaN },
  ])('is unknown where the numbers contradict each other: %o', (usage) => {
    expect(costs({ input: 1, output: 1 }, usage)).toBeUndefined();
  });

  it('is that of a long request for all of its tokens, and only above the limit', () => {
    const short = { input: 1, cachedInput: 0.1, output: 10 };
    const long = { above: 200_000, price: { input: 2, cachedInput: 0.2, output: 15 } };
    const cost = (inputTokens: number) =>
      computeRequestCost([{ price: short, long }], {
        usage: { inputTokens, cachedInputTokens: 100_000, outputTokens: 10_000 },
        at,
      });
    expect(cost(200_000)).toBeCloseTo(0.1 * 1 + 0.1 * 0.1 + 0.01 * 10, 12);
    expect(cost(200_001)).toBeCloseTo(0.100001 * 2 + 0.1 * 0.2 + 0.01 * 15, 12);
  });

  it('is by the price of its day, and unknown before the first', () => {
    const prices = [
      { from: '2026-07-01', price: { input: 1, output: 1 } },
      { from: '2027-01-01', price: { input: 2, output: 2 } },
    ];
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const on = (time: string) => computeRequestCost(prices, { usage, at: new Date(time) });
    expect(on('2026-06-30T23:59:59Z')).toBeUndefined();
    expect(on('2026-12-31T23:59:59Z')).toBe(1);
    expect(on('2027-01-01T00:00:00Z')).toBe(2);
  });

  it('is what the source of the table computes, for every model of it', () => {
    const requests = [150_000, 250_000, 300_000].flatMap((inputTokens) =>
      ['2026-09-30', '2026-11-18', '2027-01-01'].map((day) => ({ inputTokens, day })),
    );
    for (const [provider, entries] of Object.entries(listPrices)) {
      for (const { names, prices } of entries) {
        for (const { inputTokens, day } of requests) {
          const usage = {
            inputTokens,
            cachedInputTokens: 20_000,
            cacheWriteTokens: 30_000,
            outputTokens: 5_000,
          };
          const theirs = calcPrice(
            {
              input_tokens: inputTokens,
              cache_read_tokens: 20_000,
              cache_write_tokens: 30_000,
              output_tokens: 5_000,
            },
            names[0] ?? '',
            { providerId: provider, timestamp: new Date(day) },
          );
          const ours = computeRequestCost(prices, { usage, at: new Date(day) });
          expect(ours, `${names[0]} on ${day}`).toBeCloseTo(theirs?.total_price ?? -1, 10);
        }
      }
    }
  });
});
