import { onTestFinished } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.js';
import { describeRateLimiter } from '../../test/support/rate-limiter-behaviour.js';
import { LocalRateLimiter } from './local-rate-limiter.js';

describeRateLimiter('a limiter of one process', async (allowance) => {
  const clock = new ManualClock();
  const limiter = new LocalRateLimiter(() => allowance, clock);
  onTestFinished(() => limiter.close());
  return {
    limiters: [limiter, limiter],
    advance: (milliseconds) => clock.advance(milliseconds),
  };
});
