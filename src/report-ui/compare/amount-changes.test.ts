import { expect, it } from 'vitest';
import type { MeanAmounts } from '../../analysis/diff/results-diff.js';
import { amountChanges } from './amount-changes.js';

function amounts(given: Partial<MeanAmounts>): MeanAmounts {
  return {
    durationMs: null,
    calls: null,
    callErrors: null,
    inputTokens: null,
    outputTokens: null,
    cost: null,
    ...given,
  };
}

function changes(base: Partial<MeanAmounts>, current: Partial<MeanAmounts>): string[] {
  return amountChanges(amounts(base), amounts(current)).map(
    (each) => `${each.name}: ${each.base} > ${each.current} ${each.change}`,
  );
}

it('tells both amounts and the change between them', () => {
  expect(changes({ durationMs: 2000, cost: 0.5 }, { durationMs: 3000, cost: 0.25 })).toEqual([
    'Duration: 2.00 s > 3.00 s +50.0%',
    'Cost: $0.5000 > $0.2500 −50.0%',
  ]);
  expect(changes({ cost: 1 }, { cost: 3.5 })).toEqual(['Cost: $1.00 > $3.50 +250.0%']);
  expect(changes({ calls: 2 }, { calls: 2 })).toEqual(['Calls: 2.0 > 2.0 the same']);
  expect(changes({ calls: 0 }, { calls: 0 })).toEqual(['Calls: 0.0 > 0.0 the same']);
});

it('makes up no change where one side is not known or nothing', () => {
  expect(changes({ calls: 0 }, { calls: 3, inputTokens: 10 })).toEqual([
    'Calls: 0.0 > 3.0 ',
    'Tokens in: – > 10 ',
  ]);
});
