import { onTestFinished } from 'vitest';
import { describeRateLimiter } from '../../testing/limit-behaviours.js';
import { ManualClock } from '../../testing/manual-clock.js';
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
