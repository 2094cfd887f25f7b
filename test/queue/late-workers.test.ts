import { describe, expect } from 'vitest';
import { markedProcesses } from '../../testing/marked-processes.js';
import { BreakableWire } from '../support/breakable-wire.js';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import type { CheckSuite } from '../support/check-suite.js';
import { expectNothingLeft } from '../support/left-behind.js';
import { it, shortLease } from '../support/queue-suites.js';

const args = shortLease;

/** Task b was lost by the first worker and done by the second: once in the results. */
function expectDoneOnce(suite: CheckSuite): void {
  const { taskRuns } = readResults(suite.results);
  expect(taskRuns.map(({ task, attempt, outcome }) => `${task} ${attempt} ${outcome}`)).toEqual([
    'a 1 passed',
    'b 2 passed',
    'c 1 passed',
  ]);
  const ends = eventsOf(suite.journal, 'task-run-ended').filter(({ task }) => task === 'b');
  expect(ends.map(({ taskRun, outcome }) => `${taskRun} ${outcome}`)).toEqual([
    'b#1 cancelled',
    'b#1.2 passed',
  ]);
}

describe('a worker that comes too late', () => {
  it('after it was frozen with its guard changes nothing', async ({ makeGated }) => {
    const { suite, site } = await makeGated();
    for (const task of ['b', 'c']) suite.close('agent', task);
    const first = await site.worker('first', { args });
    const guards = markedProcesses(suite.mark).filter(({ command }) =>
      command.includes('process-guard'),
    );
    expect(guards).toHaveLength(1);
    const check = site.check();
    await suite.reached('agent', 'b');
    for (const { pid } of guards) process.kill(pid, 'SIGSTOP');
    first.kill('SIGSTOP');
    suite.release('agent', 'b');
    const second = await site.worker('second', { args });
    await suite.reached('agent', 'c');

    first.kill('SIGCONT');
    await first.says('ended b#1');

    suite.release('agent', 'c');
    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    expectDoneOnce(suite);
    for (const { pid } of guards) process.kill(pid, 'SIGCONT');
    await site.sendAway(first, second);
    expectNothingLeft(suite);
  });

  it('after it was cut off ends what it has, and takes part again', async ({
    redis,
    makeGated,
    onTestFinished,
  }) => {
    const wire = await BreakableWire.to(redis.port);
    onTestFinished(() => wire.close());
    const { suite, site } = await makeGated();
    for (const task of ['b', 'c']) suite.close('agent', task);
    const first = await site.at(`redis://127.0.0.1:${wire.port}`).worker('first', { args });
    const check = site.check();
    await suite.reached('agent', 'b');
    const second = await site.worker('second', { args });

    wire.cut();
    await first.says('the queue cannot be reached: what runs is ended');
    suite.open('agent', 'b');
    await suite.reached('agent', 'c');
    wire.mend();
    await first.says('ended b#1');

    suite.release('agent', 'c');
    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    expectDoneOnce(suite);
    await site.sendAway(second);
    // It is alone by now.
    const again = await site.check(['--out', 'again.json']).ended;
    expect(again.exitCode, again.stderr).toBe(0);
    await site.sendAway(first);
  });
});
