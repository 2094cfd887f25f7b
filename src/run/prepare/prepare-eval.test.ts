import { expect, it } from 'vitest';
import { findAllowance } from '../../limits/rate-limiter.js';
import { mergeLimits } from './prepare-eval.js';

const gemini = { provider: 'google', model: 'gemini-3' };

it('limits are empty where neither eval nor caller sets any', () => {
  expect(mergeLimits(undefined)).toEqual({ rates: [[], []] });
});

it('limits of the eval count, whichever name they use for a provider', () => {
  const rates = [{ provider: 'gemini' as const, requestsPerMinute: 10 }];
  const settings = mergeLimits({ concurrentAgents: 3, rates });
  expect(settings.concurrentAgents).toBe(3);
  expect(findAllowance(gemini, settings.rates)).toEqual({ requestsPerMinute: 10 });
});

it('limits of the caller win over those of the eval, number by number', () => {
  const ofEval = {
    concurrentAgents: 3,
    rates: [{ model: 'gemini-3', requestsPerMinute: 10, tokensPerMinute: 20 }],
  };
  const given = { concurrentAgents: 1, rates: [{ requestsPerMinute: 5 }] };
  const settings = mergeLimits(ofEval, given);
  expect(settings.concurrentAgents).toBe(1);
  expect(findAllowance(gemini, settings.rates)).toEqual({
    requestsPerMinute: 5,
    tokensPerMinute: 20,
  });
});
