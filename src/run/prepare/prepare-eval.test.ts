import { expect, it } from 'vitest';
import { allowanceOf } from '../../limits/allowance.js';
import { mergeLimits } from './prepare-eval.js';

const gemini = { provider: 'google', model: 'gemini-3' };

it('has no limits where nobody says any', () => {
  expect(mergeLimits(undefined)).toEqual({ rates: [[], []] });
});

it('takes those of the eval, by whichever name they call a provider', () => {
  const rates = [{ provider: 'gemini' as const, requestsPerMinute: 10 }];
  const settings = mergeLimits({ concurrentAgents: 3, rates });
  expect(settings.concurrentAgents).toBe(3);
  expect(allowanceOf(gemini, settings.rates)).toEqual({ requestsPerMinute: 10 });
});

it('lets the command line win, number by number', () => {
  const ofEval = {
    concurrentAgents: 3,
    rates: [{ model: 'gemini-3', requestsPerMinute: 10, tokensPerMinute: 20 }],
  };
  const given = { concurrentAgents: 1, rates: [{ requestsPerMinute: 5 }] };
  const settings = mergeLimits(ofEval, given);
  expect(settings.concurrentAgents).toBe(1);
  expect(allowanceOf(gemini, settings.rates)).toEqual({
    requestsPerMinute: 5,
    tokensPerMinute: 20,
  });
});
