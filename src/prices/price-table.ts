/**
 * Made by `npm run generate` from @pydantic/genai-prices 0.1.8
 * (https://github.com/pydantic/genai-prices), which is published under this licence:
 *
 * The MIT License (MIT)
 *
 * Copyright (c) Pydantic Services Inc. 2025 to present
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */
import type { DatedPrice } from './token-cost.js';

/** The month in which these were known to be list prices. */
export const pricesAsOf = '2026-09';

/** What models cost, by provider: list prices of requests that are answered at once. */
export const priceTable: Readonly<
  Record<string, readonly { names: readonly string[]; prices: readonly DatedPrice[] }[]>
> = {
  openai: [
    {
      names: ['gpt-3.5-0301', 'gpt-3.5-turbo-0301'],
      prices: [{ price: { input: 1.5, output: 2 } }],
    },
    {
      names: ['gpt-3.5-turbo', 'gpt-35-turbo', 'gpt-3.5-turbo-0125'],
      prices: [{ price: { input: 0.5, output: 1.5 } }],
    },
    { names: ['gpt-3.5-turbo-0613'], prices: [{ price: { input: 1.5, output: 2 } }] },
    { names: ['gpt-3.5-turbo-1106'], prices: [{ price: { input: 1, output: 2 } }] },
    {
      names: [
        'gpt-3.5-turbo-16k',
        'gpt-3.5-turbo-16k-0613',
        'gpt-35-turbo-16k-0613',
        'gpt-35-turbo-16k',
      ],
      prices: [{ price: { input: 3, output: 4 } }],
    },
    {
      names: ['gpt-3.5-turbo-instruct', 'gpt-3.5-turbo-instruct-0914'],
      prices: [{ price: { input: 1.5, output: 2 } }],
    },
    {
      names: ['gpt-4', 'gpt-4-0314', 'gpt-4-0613'],
      prices: [{ price: { input: 30, output: 60 } }],
    },
    {
      names: ['gpt-4-32k', 'gpt-4-32k-0314', 'gpt-4-32k-0613'],
      prices: [{ price: { input: 60, output: 120 } }],
    },
    {
      names: [
        'gpt-4-turbo',
        'gpt-4-turbo-2024-04-09',
        'gpt-4-turbo-0125-preview',
        'gpt-4-0125-preview',
        'gpt-4-1106-preview',
        'gpt-4-turbo-preview',
      ],
      prices: [{ price: { input: 10, output: 30 } }],
    },
    {
      names: ['gpt-4-vision-preview', 'gpt-4-1106-vision-preview'],
      prices: [{ price: { input: 10, output: 30 } }],
    },
    {
      names: ['gpt-4.1', 'gpt-4.1-2025-04-14'],
      prices: [{ price: { input: 2, cachedInput: 0.5, output: 8 } }],
    },
    {
      names: ['gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'],
      prices: [{ price: { input: 0.4, cachedInput: 0.1, output: 1.6 } }],
    },
    {
      names: ['gpt-4.1-nano', 'gpt-4.1-nano-2025-04-14'],
      prices: [{ price: { input: 0.1, cachedInput: 0.025, output: 0.4 } }],
    },
    {
      names: ['gpt-4.5-preview'],
      prices: [{ price: { input: 75, cachedInput: 37.5, output: 150 } }],
    },
    {
      names: ['gpt-4o', 'gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'],
      prices: [{ price: { input: 2.5, cachedInput: 1.25, output: 10 } }],
    },
    { names: ['gpt-4o-2024-05-13'], prices: [{ price: { input: 5, output: 15 } }] },
    {
      names: ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
      prices: [{ price: { input: 0.15, cachedInput: 0.075, output: 0.6 } }],
    },
    {
      names: ['gpt-5', 'gpt-5-2025-08-07', 'gpt-5-chat', 'gpt-5-chat-latest', 'gpt-5-codex'],
      prices: [{ price: { input: 1.25, cachedInput: 0.125, output: 10 } }],
    },
    {
      names: ['gpt-5-mini', 'gpt-5-mini-2025-08-07'],
      prices: [{ price: { input: 0.25, cachedInput: 0.025, output: 2 } }],
    },
    {
      names: ['gpt-5-nano'],
      prices: [{ price: { input: 0.05, cachedInput: 0.005, output: 0.4 } }],
    },
    {
      names: ['gpt-5-pro', 'gpt-5-pro-2025-10-06'],
      prices: [{ price: { input: 15, output: 120 } }],
    },
    {
      names: [
        'gpt-5.1',
        'gpt-5.1-2025-11-13',
        'gpt-5.1-codex',
        'gpt-5.1-codex-max',
        'gpt-5.1-chat',
        'gpt-5.1-chat-latest',
        'gpt-5-1',
        'gpt-5-1-2025-11-13',
        'gpt-5-1-codex',
        'gpt-5-1-codex-max',
        'gpt-5-1-chat',
        'gpt-5-1-chat-latest',
      ],
      prices: [{ price: { input: 1.25, cachedInput: 0.125, output: 10 } }],
    },
    {
      names: ['gpt-5.1-codex-mini', 'gpt-5.1-mini', 'gpt-5-1-codex-mini', 'gpt-5-1-mini'],
      prices: [{ price: { input: 0.25, cachedInput: 0.025, output: 2 } }],
    },
    {
      names: [
        'gpt-5.2',
        'gpt-5.2-2025-12-11',
        'gpt-5-2',
        'gpt-5-2-2025-12-11',
        'gpt-5.2-chat',
        'gpt-5.2-chat-latest',
        'gpt-5-2-chat',
        'gpt-5-2-chat-latest',
        'gpt-5.2-codex',
        'gpt-5-2-codex',
      ],
      prices: [{ price: { input: 1.75, cachedInput: 0.175, output: 14 } }],
    },
    {
      names: ['gpt-5.2-pro', 'gpt-5.2-pro-2025-12-11', 'gpt-5-2-pro-2025-12-11'],
      prices: [{ price: { input: 21, output: 168 } }],
    },
    {
      names: [
        'gpt-5.3',
        'gpt-5-3',
        'gpt-5.3-chat',
        'gpt-5.3-chat-latest',
        'gpt-5-3-chat',
        'gpt-5-3-chat-latest',
      ],
      prices: [{ price: { input: 1.75, cachedInput: 0.175, output: 14 } }],
    },
    {
      names: ['gpt-5.3-codex', 'gpt-5-3-codex'],
      prices: [{ price: { input: 1.75, cachedInput: 0.175, output: 14 } }],
    },
    {
      names: ['gpt-5.4', 'gpt-5.4-2026-03-05', 'gpt-5-4', 'gpt-5-4-2026-03-05'],
      prices: [
        {
          price: { input: 2.5, cachedInput: 0.25, output: 15 },
          long: { above: 271999, price: { input: 5, cachedInput: 0.5, output: 22.5 } },
        },
      ],
    },
    {
      names: ['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17', 'gpt-5-4-mini', 'gpt-5-4-mini-2026-03-17'],
      prices: [{ price: { input: 0.75, cachedInput: 0.075, output: 4.5 } }],
    },
    {
      names: ['gpt-5.4-nano', 'gpt-5.4-nano-2026-03-17', 'gpt-5-4-nano', 'gpt-5-4-nano-2026-03-17'],
      prices: [{ price: { input: 0.2, cachedInput: 0.02, output: 1.25 } }],
    },
    {
      names: ['gpt-5.4-pro', 'gpt-5.4-pro-2026-03-05', 'gpt-5-4-pro', 'gpt-5-4-pro-2026-03-05'],
      prices: [
        {
          price: { input: 30, output: 180 },
          long: { above: 271999, price: { input: 60, output: 270 } },
        },
      ],
    },
    {
      names: [
        'gpt-5.5',
        'gpt-5.5-2026-04-23',
        'gpt-5.5-2026-04-24',
        'gpt-5-5',
        'gpt-5-5-2026-04-23',
        'gpt-5-5-2026-04-24',
        'gpt-5.5-chat',
        'gpt-5.5-chat-latest',
        'gpt-5-5-chat',
        'gpt-5-5-chat-latest',
        'gpt-5.5-codex',
        'gpt-5-5-codex',
      ],
      prices: [
        {
          price: { input: 5, cachedInput: 0.5, output: 30 },
          long: { above: 271999, price: { input: 10, cachedInput: 1, output: 45 } },
        },
      ],
    },
    {
      names: ['gpt-5.5-pro', 'gpt-5.5-pro-2026-04-23', 'gpt-5-5-pro', 'gpt-5-5-pro-2026-04-23'],
      prices: [
        {
          price: { input: 30, output: 180 },
          long: { above: 271999, price: { input: 60, output: 270 } },
        },
      ],
    },
    {
      names: ['gpt-5.6-luna', 'gpt-5-6-luna'],
      prices: [
        {
          from: '2026-07-30',
          price: { input: 0.2, cachedInput: 0.02, cacheWrite: 0.25, output: 1.2 },
          long: {
            above: 271999,
            price: { input: 0.4, cachedInput: 0.04, cacheWrite: 0.5, output: 1.8 },
          },
        },
      ],
    },
    {
      names: ['gpt-5.6-sol', 'gpt-5-6-sol', 'gpt-5.6', 'gpt-5-6'],
      prices: [
        {
          from: '2026-08-21',
          price: { input: 4, cachedInput: 0.4, cacheWrite: 5, output: 20 },
          long: {
            above: 271999,
            price: { input: 8, cachedInput: 0.8, cacheWrite: 10, output: 30 },
          },
        },
      ],
    },
    {
      names: ['gpt-5.6-terra', 'gpt-5-6-terra'],
      prices: [
        {
          from: '2026-07-30',
          price: { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 12 },
          long: { above: 271999, price: { input: 4, cachedInput: 0.4, cacheWrite: 5, output: 18 } },
        },
      ],
    },
    {
      names: ['gpt-6-astra'],
      prices: [
        {
          price: { input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50 },
          long: { above: 271999, price: { input: 20, cachedInput: 2, cacheWrite: 25, output: 75 } },
        },
      ],
    },
    {
      names: ['gpt-6-luna'],
      prices: [
        {
          price: { input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, output: 0.5 },
          long: {
            above: 272000,
            price: { input: 0.2, cachedInput: 0.02, cacheWrite: 0.25, output: 0.75 },
          },
        },
      ],
    },
    {
      names: ['gpt-6-sol'],
      prices: [
        {
          price: { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10 },
          long: { above: 272000, price: { input: 4, cachedInput: 0.4, cacheWrite: 5, output: 15 } },
        },
      ],
    },
    {
      names: ['o1', 'o1-2024-12-17'],
      prices: [{ price: { input: 15, cachedInput: 7.5, output: 60 } }],
    },
    {
      names: ['o1-mini', 'o1-mini-2024-09-12'],
      prices: [{ price: { input: 1.1, cachedInput: 0.55, output: 4.4 } }],
    },
    {
      names: ['o1-preview', 'o1-preview-2024-09-12'],
      prices: [{ price: { input: 15, cachedInput: 7.5, output: 60 } }],
    },
    { names: ['o1-pro', 'o1-pro-2025-03-19'], prices: [{ price: { input: 150, output: 600 } }] },
    {
      names: ['o3', 'o3-2025-04-16'],
      prices: [{ from: '2025-06-10', price: { input: 2, cachedInput: 0.5, output: 8 } }],
    },
    {
      names: ['o3-mini', 'o3-mini-2025-01-31', 'o3-mini-high'],
      prices: [{ price: { input: 1.1, cachedInput: 0.55, output: 4.4 } }],
    },
    { names: ['o3-pro', 'o3-pro-2025-06-10'], prices: [{ price: { input: 20, output: 80 } }] },
    {
      names: ['o4-mini', 'o4-mini-2025-04-16', 'o4-mini-high'],
      prices: [{ price: { input: 1.1, cachedInput: 0.275, output: 4.4 } }],
    },
  ],
  anthropic: [
    { names: ['claude-2'], prices: [{ price: { input: 8, output: 24 } }] },
    {
      names: ['claude-3-5-haiku-latest'],
      prices: [{ price: { input: 0.8, cachedInput: 0.08, cacheWrite: 1, output: 4 } }],
    },
    {
      names: ['claude-3-5-sonnet'],
      prices: [{ price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 } }],
    },
    {
      names: ['claude-3-7-sonnet-latest'],
      prices: [{ price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 } }],
    },
    {
      names: ['claude-3-haiku'],
      prices: [{ price: { input: 0.25, cachedInput: 0.03, cacheWrite: 0.3, output: 1.25 } }],
    },
    {
      names: ['claude-3-opus-latest'],
      prices: [{ price: { input: 15, cachedInput: 1.5, cacheWrite: 18.75, output: 75 } }],
    },
    {
      names: ['claude-3-sonnet'],
      prices: [{ price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 } }],
    },
    {
      names: ['claude-fable-5'],
      prices: [{ price: { input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50 } }],
    },
    {
      names: ['claude-fable-5-1'],
      prices: [{ price: { input: 10, cachedInput: 0.25, cacheWrite: 12.5, output: 50 } }],
    },
    {
      names: ['claude-haiku-4-5'],
      prices: [{ price: { input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5 } }],
    },
    {
      names: ['claude-opus-4-0', 'claude-opus-4', 'claude-opus-4-20250514'],
      prices: [{ price: { input: 15, cachedInput: 1.5, cacheWrite: 18.75, output: 75 } }],
    },
    {
      names: ['claude-opus-4-1'],
      prices: [{ price: { input: 15, cachedInput: 1.5, cacheWrite: 18.75, output: 75 } }],
    },
    {
      names: ['claude-opus-4-5'],
      prices: [{ price: { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 } }],
    },
    {
      names: ['claude-opus-4-6'],
      prices: [
        { from: '2026-03-13', price: { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 } },
      ],
    },
    {
      names: ['claude-opus-4-7'],
      prices: [{ price: { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 } }],
    },
    {
      names: ['claude-opus-4-8'],
      prices: [{ price: { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 } }],
    },
    {
      names: ['claude-opus-5'],
      prices: [{ price: { input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25 } }],
    },
    {
      names: ['claude-opus-5-5'],
      prices: [{ price: { input: 4, cachedInput: 0.2, cacheWrite: 5, output: 20 } }],
    },
    {
      names: ['claude-sonnet-4-0', 'claude-sonnet-4'],
      prices: [{ price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 } }],
    },
    {
      names: ['claude-sonnet-4-5'],
      prices: [
        {
          price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 },
          long: {
            above: 200000,
            price: { input: 6, cachedInput: 0.6, cacheWrite: 7.5, output: 22.5 },
          },
        },
      ],
    },
    {
      names: ['claude-sonnet-4-6'],
      prices: [
        { from: '2026-03-13', price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 } },
      ],
    },
    {
      names: ['claude-sonnet-5'],
      prices: [{ price: { input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10 } }],
    },
    { names: ['claude-v1'], prices: [{ price: { input: 8, output: 24 } }] },
  ],
  google: [
    {
      names: ['gemini-1.5-flash'],
      prices: [
        {
          price: { input: 0.075, cachedInput: 0.01875, output: 0.3 },
          long: { above: 128000, price: { input: 0.15, cachedInput: 0.0375, output: 0.6 } },
        },
      ],
    },
    {
      names: ['gemini-1.5-pro'],
      prices: [
        {
          price: { input: 1.25, output: 5 },
          long: { above: 128000, price: { input: 2.5, output: 10 } },
        },
      ],
    },
    {
      names: ['gemini-2.0-flash'],
      prices: [{ price: { input: 0.1, cachedInput: 0.025, output: 0.4 } }],
    },
    { names: ['gemini-2.0-flash-lite'], prices: [{ price: { input: 0.075, output: 0.3 } }] },
    {
      names: ['gemini-2.5-flash', 'gemini-2.5-flash-latest', 'gemini-2.5-flash-preview-09-2025'],
      prices: [{ price: { input: 0.3, cachedInput: 0.03, output: 2.5 } }],
    },
    {
      names: ['gemini-2.5-flash-lite'],
      prices: [{ price: { input: 0.1, cachedInput: 0.01, output: 0.4 } }],
    },
    { names: ['gemini-2.5-flash-preview'], prices: [{ price: { input: 0.15, output: 0.6 } }] },
    {
      names: ['gemini-2.5-pro'],
      prices: [
        {
          price: { input: 1.25, cachedInput: 0.125, output: 10 },
          long: { above: 200000, price: { input: 2.5, cachedInput: 0.25, output: 15 } },
        },
      ],
    },
    {
      names: ['gemini-3-flash-preview'],
      prices: [{ price: { input: 0.5, cachedInput: 0.05, output: 3 } }],
    },
    {
      names: ['gemini-3-pro-preview', 'gemini-3-pro-text-preview'],
      prices: [
        {
          price: { input: 2, cachedInput: 0.2, output: 12 },
          long: { above: 200000, price: { input: 4, cachedInput: 0.4, output: 18 } },
        },
      ],
    },
    {
      names: ['gemini-3.1-flash-lite'],
      prices: [{ price: { input: 0.25, cachedInput: 0.025, output: 1.5 } }],
    },
    {
      names: ['gemini-3.1-pro-preview'],
      prices: [
        {
          price: { input: 2, cachedInput: 0.2, output: 12 },
          long: { above: 200000, price: { input: 4, cachedInput: 0.4, output: 18 } },
        },
      ],
    },
    {
      names: ['gemini-3.5-flash'],
      prices: [{ price: { input: 1.5, cachedInput: 0.15, output: 9 } }],
    },
    {
      names: ['gemini-3.5-flash-lite'],
      prices: [{ price: { input: 0.3, cachedInput: 0.03, output: 2.5 } }],
    },
    {
      names: ['gemini-3.6-flash'],
      prices: [
        { price: { input: 0.75, cachedInput: 0.075, output: 3.75 } },
        { from: '2027-01-01', price: { input: 1.5, cachedInput: 0.15, output: 7.5 } },
      ],
    },
    {
      names: ['gemini-3.7-flash'],
      prices: [
        { price: { input: 0.75, cachedInput: 0.075, output: 3.75 } },
        { from: '2027-01-01', price: { input: 1.5, cachedInput: 0.15, output: 7.5 } },
      ],
    },
    {
      names: ['gemini-3.8-flash'],
      prices: [
        { price: { input: 0.75, cachedInput: 0.075, output: 3.75 } },
        { from: '2027-01-01', price: { input: 1.5, cachedInput: 0.15, output: 7.5 } },
      ],
    },
    {
      names: ['gemini-flash-1.5'],
      prices: [
        {
          price: { input: 0.075, cachedInput: 0.01875, output: 0.3 },
          long: { above: 128000, price: { input: 0.15, cachedInput: 0.0375, output: 0.6 } },
        },
      ],
    },
    {
      names: ['gemini-flash-1.5-8b'],
      prices: [
        {
          price: { input: 0.0375, cachedInput: 0.01, output: 0.15 },
          long: { above: 128000, price: { input: 0.075, cachedInput: 0.02, output: 0.3 } },
        },
      ],
    },
    {
      names: ['gemini-pro-1.5'],
      prices: [
        {
          price: { input: 1.25, cachedInput: 0.3125, output: 5 },
          long: { above: 128000, price: { input: 2.5, cachedInput: 0.625, output: 10 } },
        },
      ],
    },
  ],
};
