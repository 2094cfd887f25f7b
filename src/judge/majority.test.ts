import { describe, expect, it } from 'vitest';
import type { Vote } from '../journal/step-events.js';
import { majorityOf } from './majority.js';

const passed = (reason = 'fits'): Vote => ({
  passed: true,
  reason,
  failureCategory: 'n/a',
  attempts: 1,
});
const failed = (reason = 'differs'): Vote => ({
  passed: false,
  reason,
  failureCategory: 'semantic_mismatch',
  attempts: 1,
});
const silent = (error = 'it broke'): Vote => ({ passed: null, error, attempts: 3 });

describe('majorityOf', () => {
  it('takes the reason of the first vote on the side that decides', () => {
    expect(majorityOf([failed(), passed('one'), passed('two')])).toEqual({
      passed: true,
      reason: 'one',
      failureCategory: 'n/a',
    });
    expect(majorityOf([passed(), failed('one'), failed('two')])).toEqual({
      passed: false,
      reason: 'one',
      failureCategory: 'semantic_mismatch',
    });
  });

  it('needs more than half of all votes, not of those that came', () => {
    expect(majorityOf([passed(), silent()]).passed).toBe(null);
    expect(majorityOf([passed(), passed(), silent(), silent()]).passed).toBe(null);
    expect(majorityOf([failed(), silent()]).passed).toBe(null);
    expect(majorityOf([passed(), passed(), silent()]).passed).toBe(true);
    expect(majorityOf([]).passed).toBe(null);
  });

  it.each([
    [[silent('it broke')], 'it broke'],
    [[silent('one'), silent('two')], 'one'],
    [[passed(), failed()], 'the votes are split: 1 passed, 1 failed'],
    [
      [passed(), silent('it broke'), failed()],
      'the votes are split: 1 passed, 1 failed, 1 gave no verdict (it broke)',
    ],
  ])('says why there is no verdict in %j', (votes, reason) => {
    expect(majorityOf(votes)).toEqual({ passed: null, reason, failureCategory: 'n/a' });
  });
});
