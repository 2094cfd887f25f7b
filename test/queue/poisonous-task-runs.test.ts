import { describe, expect } from 'vitest';
import { it, shortLease } from '../support/queue-suites.js';
import { script } from '../support/suite-parts.js';

const names = ['one', 'two', 'three'];

/** Kills the worker that runs it. */
const killing = { spec: { setup: [script('kill -9 $PPID')] } };

describe('a task run that no worker survives', () => {
  it('is an error after so many workers, and holds nothing else up', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: {}, b: killing, c: {} } });
    const args = [...shortLease, '--max-lost', '2'];
    const workers = await site.workers(names, { args });

    const { exitCode, stderr, stdout } = await site.check(['--out', 'out.json']).ended;

    expect(exitCode, stderr).toBe(1);
    const { taskRuns, totals } = JSON.parse(await suite.read('out.json'));
    expect(taskRuns).toMatchObject([
      { task: 'a', outcome: 'passed', attempt: 1 },
      {
        task: 'b',
        outcome: 'error',
        attempt: 3,
        failure: {
          category: 'worker-lost',
          message: expect.stringContaining('2 workers were lost'),
        },
      },
      { task: 'c', outcome: 'passed', attempt: 1 },
    ]);
    expect(totals).toMatchObject({ planned: 3, notRun: 0 });
    expect(stdout).toContain('2 workers were lost with it');
    const lost = names.flatMap((name, index) =>
      name === taskRuns[1].worker ? [] : workers[index],
    );
    for (const worker of lost) expect(await worker?.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(lost).toHaveLength(2);
  });

  it('is done by the next one, if that one survives it', async ({ makeServed }) => {
    const { suite, site } = await makeServed({
      tasks: {
        a: {
          spec: { setup: [script('[ -e "$ONCE" ] || { : >"$ONCE"; kill -9 $PPID; }')] },
        },
      },
    });
    const more = {
      args: [...shortLease, '--max-lost', '2'],
      env: { ONCE: suite.path('out-once') },
    };
    await site.workers(['one', 'two'], more);

    const { exitCode, stderr } = await site.check(['--out', 'out.json']).ended;

    expect(exitCode, stderr).toBe(0);
    const { taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(taskRuns).toMatchObject([{ task: 'a', outcome: 'passed', attempt: 2 }]);
  });
});
