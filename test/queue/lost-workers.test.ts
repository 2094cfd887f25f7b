import { describe, expect } from 'vitest';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import { expectNothingLeft } from '../support/left-behind.js';
import { it, shortLease } from '../support/queue-suites.js';

describe('a worker that is lost', () => {
  it.for(['SIGKILL', 'SIGSTOP'] as const)(
    'by %s has its task run done by another one, and cleaned up',
    async (signal, { makeGated }) => {
      const { suite, site } = await makeGated();
      suite.close('agent', 'b');
      const first = await site.worker('first', { args: shortLease });
      const check = site.check();
      await suite.reached('agent', 'b');
      const second = await site.worker('second', { args: shortLease });

      first.kill(signal);

      // One that is frozen is killed by its guard.
      expect((await first.ended).signal).toBe('SIGKILL');
      suite.open('agent', 'b');
      const { exitCode, stderr } = await check.ended;
      expect(exitCode, stderr).toBe(0);
      const attempts = eventsOf(suite.journal, 'task-run-started');
      expect(attempts.map(({ task, attempt, worker }) => `${task} ${attempt} ${worker}`)).toEqual([
        'a 1 first',
        'b 1 first',
        'b 2 second',
        'c 1 second',
      ]);
      const { taskRuns, totals } = readResults(suite.results);
      expect(taskRuns.map(({ task, attempt, outcome }) => `${task} ${attempt} ${outcome}`)).toEqual(
        ['a 1 passed', 'b 2 passed', 'c 1 passed'],
      );
      expect(totals).toMatchObject({ planned: 3, notRun: 0 });
      const [lost, again] = suite.traces('setup', 'b');
      const traces = suite.traces(undefined, 'b').filter(({ step }) => step !== 'agent');
      expect(traces.map(({ step, id }) => `${step} ${id}`)).toEqual([
        `setup ${lost?.id}`,
        `cleanup ${lost?.id}`,
        `undo made-by-setup-${lost?.id}`,
        `setup ${again?.id}`,
        `verify ${again?.id}`,
        `cleanup ${again?.id}`,
        `undo made-by-setup-${again?.id}`,
      ]);
      await site.sendAway(second);
      expectNothingLeft(suite);
    },
  );

  it('is waited for where results decide how often a task runs', async ({ makeGated }) => {
    const { suite, site } = await makeGated({ tasks: ['a'], parallel: true });
    suite.close('agent', 'a');
    const first = await site.worker('first', { args: shortLease });
    const check = site.check(['--runs', 'auto', '--runs-width', '0.9', '--runs-max', '3']);
    await suite.reached('agent', 'a');
    first.kill('SIGKILL');
    await first.ended;
    suite.open('agent', 'a');
    await site.worker('second', { args: shortLease });

    const { exitCode, stderr } = await check.ended;

    expect(exitCode, stderr).toBe(0);
    const { taskRuns, totals } = readResults(suite.results);
    expect(taskRuns.map(({ run, outcome }) => `${run} ${outcome}`).sort()).toEqual([
      '1 passed',
      '2 passed',
      '3 passed',
    ]);
    expect(totals).toMatchObject({ planned: 3, notRun: 0 });
  });
});
