import { describe, expect } from 'vitest';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import { it } from '../support/queue-suites.js';
import { script } from '../support/suite-parts.js';

/** Notes when it begins and when it ends, in a file that all workers share. */
const noting = {
  spec: {
    setup: [script('echo "begin $PROCTOR_TASK_NAME" >>"$SHARED"')],
    cleanup: [script('echo "end $PROCTOR_TASK_NAME" >>"$SHARED"')],
  },
};

describe('over several workers', () => {
  it('sequential tasks keep their order and never overlap, and parallel ones come after them', async ({
    makeServed,
  }) => {
    const { suite, site } = await makeServed({
      tasks: { a: noting, b: noting, c: { ...noting, parallel: true }, d: noting },
    });
    const shared = suite.path('out-order');
    await site.workers(['one', 'two', 'three'], {
      args: ['--concurrency', '2'],
      env: { SHARED: shared },
    });

    const { exitCode, stderr } = await site.check(['--runs', '4', '--out', 'out.json']).ended;

    expect(exitCode, stderr).toBe(0);
    const lines = (await suite.read('out-order')).trimEnd().split('\n');
    const inTurn = ['a', 'b', 'd'].flatMap((task) =>
      [1, 2, 3, 4].flatMap(() => [`begin ${task}`, `end ${task}`]),
    );
    expect(lines.slice(0, inTurn.length)).toEqual(inTurn);
    expect(lines.slice(inTurn.length).sort()).toEqual([
      ...Array(4).fill('begin c'),
      ...Array(4).fill('end c'),
    ]);
    const started = eventsOf(suite.path('out.jsonl'), 'task-run-started');
    const ofSequence = started.filter(({ task }) => task !== 'c');
    expect(ofSequence.map(({ taskRun }) => taskRun)).toEqual(
      ['a', 'b', 'd'].flatMap((task) => [1, 2, 3, 4].map((run) => `${task}#${run}`)),
    );
  });

  it('parallel tasks run at once, one on each', async ({ makeGated }) => {
    const tasks = ['a', 'b', 'c', 'd'];
    const { suite, site } = await makeGated({ tasks, parallel: true });
    for (const task of tasks) suite.close('agent', task);
    await site.workers(tasks.map((task) => `of-${task}`));
    const check = site.check();

    // None of them ends before all have begun.
    for (const task of tasks) await suite.reached('agent', task);
    const { workers, runs } = await site.status();
    expect(workers).toHaveLength(4);
    expect(runs).toMatchObject([{ state: 'open', total: 4, done: 0, open: 4 }]);
    for (const task of tasks) suite.release('agent', task);

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    const started = eventsOf(suite.journal, 'task-run-started');
    expect(new Set(started.map(({ worker }) => worker)).size).toBe(4);
    expect(readResults(suite.results).taskRuns).toHaveLength(4);
  });

  it('one worker does as many at once as it is told', async ({ makeGated }) => {
    const tasks = ['a', 'b', 'c'];
    const { suite, site } = await makeGated({ tasks, parallel: true });
    for (const task of ['a', 'b']) suite.close('agent', task);
    const worker = await site.worker('one', { args: ['--concurrency', '2'] });
    const check = site.check(['-v']);
    for (const task of ['a', 'b']) await suite.reached('agent', task);
    expect((await site.status()).runs).toMatchObject([
      { open: 2, done: 0, queued: [{ waiting: 1 }] },
    ]);
    for (const task of ['a', 'b']) suite.release('agent', task);
    expect((await check.ended).exitCode).toBe(0);
    // It finishes what it has, takes nothing more, and says that it is gone.
    await site.sendAway(worker);
    expect(await worker.ended).toMatchObject({ exitCode: 0, signal: null });
    expect((await site.status()).workers).toEqual([]);
  });
});
