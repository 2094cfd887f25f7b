import { expect, it } from 'vitest';
import { describeReachedBudget, formatPercent, formatSpentBudget } from './figure-text.js';

it.each([
  [0, '0%'],
  [0.00001, '0.1%'],
  [0.5, '50.0%'],
  [2 / 3, '66.7%'],
  [0.99999, '99.9%'],
  [1, '100%'],
])('%f is %s', (share, text) => {
  expect(formatPercent(share)).toBe(text);
});

it.each([
  [{ kind: 'cost', limit: 1, spent: 1.024 }, '$1.02 of $1.00'],
  [{ kind: 'cost', limit: 0.01, spent: 0.0123 }, '$0.0123 of $0.0100'],
  [{ kind: 'tokens', limit: 2_000_000, spent: 13_500 }, '13.5k tokens of 2.0M tokens'],
  [{ kind: 'duration', limit: 30_000, spent: 1234 }, '1.2 s of 30 s'],
  [{ kind: 'duration', limit: 5_400_000, spent: 61_000 }, '1 m 1 s of 1 h 30 m'],
  [{ kind: 'duration', limit: 1, spent: 40 }, '0 s of 0 s'],
] as const)('%j reads %s', (budget, text) => {
  expect(formatSpentBudget(budget)).toBe(text);
});

it('names the option that was reached', () => {
  const text = describeReachedBudget({ kind: 'tokens', limit: 100, spent: 120 });
  expect(text).toBe('--max-tokens was reached (120 tokens of 100 tokens)');
});
