import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCall, redactNothing } from '../../testing/agent-calls.js';
import { CallNameSummary, CallNumbers, mergeCallNumbers } from './seen-calls.js';

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('CallNumbers', () => {
  it('keeps the first or the last hundred, in whatever order they come', () => {
    const numbers = fc
      .integer({ min: 0, max: 150 })
      .chain((count) => fc.shuffledSubarray(range(count)));
    fc.assert(
      fc.property(numbers, (calls) => {
        const [first, last] = [new CallNumbers(), new CallNumbers('last')];
        for (const call of calls) {
          first.add(call);
          last.add(call);
        }
        const ascending = calls.toSorted((left, right) => left - right);
        expect(first.numbers).toEqual(ascending.slice(0, 100));
        expect(last.numbers).toEqual(ascending.slice(-100));
        expect(first.count).toBe(calls.length);
      }),
    );
  });

  it('names the first ones', () => {
    const calls = new CallNumbers();
    calls.add(7);
    expect(calls.text).toBe('call 7');
    for (const call of [3, 9, 11, 2, 20]) calls.add(call);
    expect(calls.text).toBe('calls 2, 3, 7, 9 and 2 more');
  });

  it('makes one list of several, with each number once', () => {
    expect(mergeCallNumbers([5, 1, 3, 1, 5])).toEqual([1, 3, 5]);
    expect(mergeCallNumbers(range(500))).toHaveLength(100);
  });
});

describe('CallNameSummary', () => {
  it('names what was called, the most frequent first', () => {
    const callNames = new CallNameSummary(redactNothing);
    for (const [index, name] of ['a', 'b', 'c', 'b'].entries())
      callNames.add(agentCall(index + 1, name));
    callNames.add(agentCall(5, 'a', { blocked: true }));
    expect(callNames.text).toBe('shop.b (2x), shop.a, shop.c and shop.a (blocked)');
  });

  it('names six, and counts the others', () => {
    const callNames = new CallNameSummary(redactNothing);
    for (const call of range(9)) callNames.add(agentCall(call, `t${call}`));
    expect(callNames.text).toBe('shop.t1, shop.t2, shop.t3, shop.t4, shop.t5, shop.t6 and 3 more');
  });

  it('keeps a bounded number of names', () => {
    const callNames = new CallNameSummary(redactNothing);
    for (const call of range(1_000)) callNames.add(agentCall(call, `t${call}`));
    expect(callNames.text).toBe('more than 50 names in 1000 calls');
  });
});
