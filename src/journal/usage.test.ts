import { expect, it } from 'vitest';
import { combineCostSources } from './usage.js';

it.each([
  [{}, {}, undefined],
  [{ cost: 1, costSource: 'priced' as const }, {}, 'priced'],
  [{}, { cost: 0, costSource: 'reported' as const }, 'reported'],
  [
    { cost: 1, costSource: 'priced' as const },
    { cost: 1, costSource: 'priced' as const },
    'priced',
  ],
  [
    { cost: 1, costSource: 'priced' as const },
    { cost: 1, costSource: 'reported' as const },
    'mixed',
  ],
  [{ cost: 1, costSource: 'mixed' as const }, { cost: 1, costSource: 'priced' as const }, 'mixed'],
  // As results were before there were prices.
  [{ cost: 1 }, { cost: 1, costSource: 'priced' as const }, 'mixed'],
  [{ cost: 1 }, {}, 'reported'],
])('the sum of the costs %j and %j is %s', (left, right, source) => {
  expect(combineCostSources(left, right)).toBe(source);
  expect(combineCostSources(right, left)).toBe(source);
});
