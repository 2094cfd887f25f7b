import { describe, expect } from 'vitest';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import { expectNothingLeft } from '../support/left-behind.js';
import { it as queueIt, shortLease } from '../support/queue-suites.js';

const it = queueIt.extend({ redisOptions: { durable: true } });

describe('a Redis server that restarts with its data', () => {
  it.for(['stop', 'kill'] as const)(
    'after a %s in the middle of a task run ends nothing',
    async (end, { redis, makeGated }) => {
      const { suite, site } = await makeGated();
      suite.close('agent', 'b');
      const worker = await site.worker('one', { args: ['--lease', '1m'] });
      const check = site.check();
      await suite.reached('agent', 'b');

      await redis[end]();
      suite.release('agent', 'b');
      await redis.restart();

      const { exitCode, stderr } = await check.ended;
      expect(exitCode, stderr).toBe(0);
      const { taskRuns } = readResults(suite.results);
      expect(taskRuns.map(({ task, attempt, outcome }) => `${task} ${attempt} ${outcome}`)).toEqual(
        ['a 1 passed', 'b 1 passed', 'c 1 passed'],
      );
      await site.sendAway(worker);
      expectNothingLeft(suite);
    },
  );

  it('after a time longer than a lease has what ran done again', async ({ redis, makeGated }) => {
    const { suite, site } = await makeGated();
    suite.close('agent', 'b');
    const worker = await site.worker('one', { args: shortLease });
    const check = site.check();
    await suite.reached('agent', 'b');

    await redis.kill();
    // Others may be given it by now: what runs has to end.
    await worker.says('the queue cannot be reached: what runs is ended');
    suite.open('agent', 'b');
    await redis.restart();

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    expect(
      readResults(suite.results).taskRuns.map(({ task, outcome }) => `${task} ${outcome}`),
    ).toEqual(['a passed', 'b passed', 'c passed']);
    const ends = eventsOf(suite.journal, 'task-run-ended').filter(({ task }) => task === 'b');
    expect(ends.map(({ outcome }) => outcome)).toEqual(['cancelled', 'passed']);
    await site.sendAway(worker);
    expectNothingLeft(suite);
  });
});
