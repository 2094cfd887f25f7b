import { describe, expect } from 'vitest';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import type { CheckSuite } from '../support/check-suite.js';
import { expectNothingLeft } from '../support/left-behind.js';
import { it, shortLease } from '../support/queue-suites.js';

const args = shortLease;

function outcomes(suite: CheckSuite): string[] {
  return readResults(suite.results).taskRuns.map(({ task, outcome }) => `${task} ${outcome}`);
}

const allPassed = ['a passed', 'b passed', 'c passed'];

describe('a check whose workers do the work', () => {
  it('can be killed and resumed while they go on', async ({ makeGated }) => {
    const { suite, site } = await makeGated();
    suite.close('agent', 'b');
    const worker = await site.worker('one', { args });
    const check = site.check();
    await suite.reached('agent', 'b');
    check.kill('SIGKILL');
    await check.ended;

    const alone = await suite.check('--resume');
    expect(alone.exitCode).toBe(2);
    expect(alone.stderr).toContain('the workers of a queue have that run');

    suite.release('agent', 'b');
    // Nobody reads it, and it goes on.
    await worker.says('ended c#1');
    const { exitCode, stderr } = await site.check(['--resume']).ended;

    expect(exitCode, stderr).toBe(0);
    expect(outcomes(suite)).toEqual(allPassed);
    for (const task of ['a', 'b', 'c']) expect(suite.traces('setup', task)).toHaveLength(1);
    expect(eventsOf(suite.journal, 'task-run-ended')).toHaveLength(3);
    expect(readResults(suite.results)).toMatchObject({ finished: true, resumed: 1 });
    expect((await site.status()).runs).toEqual([]);
    await site.sendAway(worker);
    expectNothingLeft(suite);
  });

  it('can leave them alone with --detach, and come back', async ({ makeGated }) => {
    const { suite, site } = await makeGated();
    suite.close('agent', 'b');
    const worker = await site.worker('one', { args });

    const detached = await site.check(['--detach']).ended;

    expect(detached, detached.stderr).toMatchObject({ exitCode: 0 });
    expect(detached.stdout).toContain('Workers have 3 task runs to do. Come back with:');
    expect(detached.stdout).toMatch(/proctor check eval.yaml .*--queue redis:\S+ --resume/);
    await suite.reached('agent', 'b');
    const status = await site.status();
    expect(status).toMatchObject({
      runs: [{ name: 'suite', state: 'open', total: 3, done: 1, open: 1, refused: [] }],
      workers: [{ name: 'one', concurrency: 1, pid: worker.pid }],
    });
    const [run] = status.runs;
    expect(run).not.toHaveProperty('coordinator');
    const { stdout } = await site.ask('queue', 'status', run?.id.slice(0, 8) ?? '');
    expect(stdout).toContain(`suite  ${run?.id}`);
    expect(stdout).toContain('1 of 3 task runs done');
    expect(stdout).toContain('1 under way');
    expect(stdout).toContain('--resume');
    expect(stdout).toMatch(/one: [01] of 1 busy; .*process \d+, Proctor /);
    const unknown = await site.ask('queue', 'status', 'zzz');
    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.stderr).toContain('no run has an id that begins with "zzz"');

    suite.release('agent', 'b');
    const { exitCode, stderr } = await site.check(['--resume']).ended;
    expect(exitCode, stderr).toBe(0);
    expect(outcomes(suite)).toEqual(allPassed);
    await site.sendAway(worker);
    expectNothingLeft(suite);
  });

  it('is stopped by queue cancel, which cleans up, and resumed', async ({ makeGated }) => {
    const { suite, site } = await makeGated();
    suite.close('agent', 'b');
    const worker = await site.worker('one', { args });
    const check = site.check();
    await suite.reached('agent', 'b');
    const [run] = (await site.status()).runs;

    const cancelled = await site.ask('queue', 'cancel', run?.id ?? '');

    expect(cancelled).toMatchObject({ exitCode: 0 });
    expect(cancelled.stdout).toContain('Stopped suite');
    expect(cancelled.stdout).toContain('what is under way (1) is stopped and cleaned up');
    const stopped = await check.ended;
    expect(stopped.exitCode, stopped.stderr).toBe(130);
    expect(outcomes(suite)).toEqual(['a passed', 'b cancelled']);
    expect(suite.traces('cleanup', 'b')).toHaveLength(1);
    expect(suite.traces('setup', 'c')).toEqual([]);
    expect((await site.status()).runs).toEqual([]);

    suite.open('agent', 'b');
    const { exitCode, stderr } = await site.check(['--resume']).ended;
    expect(exitCode, stderr).toBe(0);
    expect(outcomes(suite)).toEqual(allPassed);
    expect(suite.traces('setup', 'a')).toHaveLength(1);
    expect(suite.traces('setup', 'b')).toHaveLength(2);
    await site.sendAway(worker);
    expectNothingLeft(suite);
  });

  it('cleans up and ends with 130 when it is interrupted, and is resumed', async ({
    makeGated,
  }) => {
    const { suite, site } = await makeGated();
    suite.close('agent', 'b');
    const worker = await site.worker('one', { args });
    const check = site.check();
    await suite.reached('agent', 'b');

    check.kill('SIGINT');

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(130);
    expect(suite.traces('cleanup', 'b')).toHaveLength(1);
    expect(outcomes(suite)).toEqual(['a passed', 'b cancelled']);
    suite.open('agent', 'b');
    const resumed = await site.check(['--resume']).ended;
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(outcomes(suite)).toEqual(allPassed);
    await site.sendAway(worker);
    expectNothingLeft(suite);
  });

  it('is taken over by nobody while it is there', async ({ makeGated }) => {
    const { suite, site } = await makeGated();
    suite.close('agent', 'b');
    await site.worker('one', { args });
    const check = site.check();
    await suite.reached('agent', 'b');

    const other = await site.check(['--resume']).ended;

    expect(other.exitCode, other.stderr).toBe(2);
    suite.release('agent', 'b');
    expect((await check.ended).exitCode).toBe(0);
    expect(outcomes(suite)).toEqual(allPassed);
  });

  it('decides on what they did in between, with --runs auto', async ({ makeGated }) => {
    const tasks = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const { suite, site } = await makeGated({ tasks, parallel: true, agent: 'scripted' });
    const auto = ['--runs', 'auto', '--runs-width', '0.9', '--runs-max', '3'];
    suite.close('setup', 't0');
    const many = await site.worker('many', { args: ['--concurrency', '6'] });
    const check = site.check(auto);
    await suite.reached('setup', 't0');
    check.kill('SIGKILL');
    await check.ended;
    suite.release('setup', 't0');
    await many.says('ended t0#1');
    // Whoever comes back finds fewer at work than there were.
    await site.sendAway(many);
    const one = await site.worker('one');

    const { exitCode, stderr } = await site.check([...auto, '--resume']).ended;

    expect(exitCode, stderr).toBe(0);
    const { taskRuns, totals } = readResults(suite.results);
    expect(taskRuns.map(({ task, run }) => `${task}#${run}`).sort()).toEqual(
      tasks.flatMap((task) => [1, 2, 3].map((run) => `${task}#${run}`)),
    );
    expect(totals).toMatchObject({ planned: 30, notRun: 0 });
    expect(suite.traces('setup')).toHaveLength(30);
    await site.sendAway(one);
    expectNothingLeft(suite);
  });
});
