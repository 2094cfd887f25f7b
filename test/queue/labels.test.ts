import { describe, expect } from 'vitest';
import { it } from '../support/queue-suites.js';

const onGpu = { spec: { requires: [{ labels: { cluster: 'gpu' } }] } };
const onLargeGpu = { spec: { requires: [{ labels: { cluster: 'gpu', size: 'large' } }] } };

describe('a task that asks for labels', () => {
  it('runs only on workers that have all of them', async ({ makeServed }) => {
    const { suite, site } = await makeServed({
      tasks: {
        anywhere: { parallel: true, runs: 4 },
        gpu: { ...onGpu, parallel: true, runs: 4 },
        'large-gpu': { ...onLargeGpu, runs: 2 },
      },
    });
    await site.worker('plain', { args: ['--label', 'cluster=cpu', '--label', 'size=large'] });
    await site.worker('gpu', { args: ['--label', 'cluster=gpu'] });
    await site.worker('large', { args: ['--label', 'cluster=gpu', '--label', 'size=large'] });

    const { exitCode, stderr } = await site.check(['--out', 'out.json']).ended;

    expect(exitCode, stderr).toBe(0);
    const { taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(taskRuns).toHaveLength(10);
    const workersOf = (wanted: string) =>
      taskRuns.flatMap(({ task, worker }: { task: string; worker: string }) =>
        task === wanted ? [worker] : [],
      );
    expect(new Set(workersOf('large-gpu'))).toEqual(new Set(['large']));
    expect(workersOf('gpu')).not.toContain('plain');
  });

  it('waits for such a worker, says so, and is done when it comes', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { anywhere: {}, gpu: onGpu } });
    await site.worker('plain');
    const check = site.check(['--out', 'out.json']);

    await check.says('1 task run waits for a worker with cluster=gpu');

    const { runs } = await site.status();
    expect(runs).toMatchObject([{ total: 2, done: 1 }]);
    expect(runs[0]?.queued).toContainEqual({ labels: { cluster: 'gpu' }, waiting: 1 });
    const text = (await site.ask('queue', 'status')).stdout;
    expect(text).toContain('1 waiting for a worker with cluster=gpu');
    await site.worker('late', { args: ['--label', 'cluster=gpu'] });
    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    const { taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(taskRuns).toMatchObject([
      { task: 'anywhere', worker: 'plain' },
      { task: 'gpu', worker: 'late' },
    ]);
  });

  it('is not begun at all where no worker has any of what it asks for', async ({ makeServed }) => {
    const { site } = await makeServed({ tasks: { gpu: onGpu } });
    await site.worker('plain');
    const check = site.check(['--out', 'out.json']);
    await check.says('Waiting for a worker');
    check.kill('SIGINT');
    expect((await check.ended).exitCode).toBe(130);
    expect((await site.status()).runs).toEqual([]);
  });

  it('runs anywhere without a queue', async ({ makeServed }) => {
    const { suite } = await makeServed({ tasks: { gpu: onGpu } });
    const { exitCode, stderr } = await suite.check();
    expect(exitCode, stderr).toBe(0);
  });
});
