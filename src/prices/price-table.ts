import type { ModelPrice } from '../config/schemas/prices-schema.js';

/**
 * As of when these are known to be list prices. They change, and newer models are not in the table until
 * somebody has checked them: whoever needs them exactly writes a prices file.
 */
export const pricesAsOf = '2025-12';

const price = (input: number, cachedInput: number, output: number): ModelPrice => ({
  input,
  cachedInput,
  output,
});

/** Of a model whose provider gives no discount for what comes from a cache. */
const withoutCache = (input: number, output: number): ModelPrice => ({ input, output });

/**
 * What well-known models cost, by provider and id, in US dollars for a million tokens: list prices of
 * requests that are answered at once, with prompts of usual length (some models cost more above 200,000
 * tokens). Ids are without a date; a version that cost something else has an entry of its own.
 */
export const priceTable: Readonly<Record<string, Readonly<Record<string, ModelPrice>>>> = {
  openai: {
    'gpt-5.1': price(1.25, 0.125, 10),
    'gpt-5.1-codex': price(1.25, 0.125, 10),
    'gpt-5': price(1.25, 0.125, 10),
    'gpt-5-codex': price(1.25, 0.125, 10),
    'gpt-5-mini': price(0.25, 0.025, 2),
    'gpt-5-nano': price(0.05, 0.005, 0.4),
    'gpt-5-pro': withoutCache(15, 120),
    'gpt-4.1': price(2, 0.5, 8),
    'gpt-4.1-mini': price(0.4, 0.1, 1.6),
    'gpt-4.1-nano': price(0.1, 0.025, 0.4),
    'gpt-4o': price(2.5, 1.25, 10),
    'gpt-4o-2024-05-13': withoutCache(5, 15),
    'gpt-4o-mini': price(0.15, 0.075, 0.6),
    'gpt-4-turbo': withoutCache(10, 30),
    'gpt-4': withoutCache(30, 60),
    'gpt-3.5-turbo': withoutCache(0.5, 1.5),
    o3: price(2, 0.5, 8),
    'o3-pro': withoutCache(20, 80),
    'o3-mini': price(1.1, 0.55, 4.4),
    'o4-mini': price(1.1, 0.275, 4.4),
    o1: price(15, 7.5, 60),
  },
  anthropic: {
    'claude-opus-4-5': price(5, 0.5, 25),
    'claude-opus-4-1': price(15, 1.5, 75),
    'claude-opus-4-0': price(15, 1.5, 75),
    'claude-opus-4': price(15, 1.5, 75),
    'claude-sonnet-4-5': price(3, 0.3, 15),
    'claude-sonnet-4-0': price(3, 0.3, 15),
    'claude-sonnet-4': price(3, 0.3, 15),
    'claude-haiku-4-5': price(1, 0.1, 5),
    'claude-3-7-sonnet': price(3, 0.3, 15),
    'claude-3-5-haiku': price(0.8, 0.08, 4),
    'claude-3-haiku': price(0.25, 0.03, 1.25),
  },
  google: {
    'gemini-3-pro-preview': price(2, 0.2, 12),
    'gemini-2.5-pro': price(1.25, 0.125, 10),
    'gemini-2.5-flash': price(0.3, 0.03, 2.5),
    'gemini-2.5-flash-lite': price(0.1, 0.01, 0.4),
    'gemini-2.0-flash': price(0.1, 0.025, 0.4),
    'gemini-2.0-flash-lite': withoutCache(0.075, 0.3),
  },
};
