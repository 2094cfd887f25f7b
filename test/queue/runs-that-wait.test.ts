import { Redis } from 'ioredis';
import { describe, expect } from 'vitest';
import { QueueKeys } from '../../src/queue/queue-keys.js';
import { it } from '../support/queue-suites.js';

const onGpu = { spec: { requires: [{ labels: { cluster: 'gpu' } }] } };

describe('a run that waits for a worker', () => {
  it('is cancelled before one comes, and does not begin', async ({ makeServed }) => {
    const { site } = await makeServed({ tasks: { a: {} } });
    const check = site.check(['--out', 'out.json']);
    await check.says('Waiting for a worker');
    const [run] = (await site.status()).runs;

    expect(await site.ask('queue', 'cancel', run?.id ?? '')).toMatchObject({ exitCode: 0 });

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('cancelled before a worker was ready');
    expect((await site.status()).runs).toEqual([]);
  });

  it('is offered again when the queue has forgotten it', async ({
    redis,
    makeServed,
    onTestFinished,
  }) => {
    const { site } = await makeServed({ tasks: { a: {} } });
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const check = site.check(['--out', 'out.json']);
    await check.says('Waiting for a worker');
    const [run] = (await site.status()).runs;
    await client.del(new QueueKeys('proctor').ofRun(run?.id ?? '').run);

    await site.worker('one');

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
  });

  it('ends when its time is over, although nobody can begin what is left', async ({
    makeServed,
  }) => {
    const { suite, site } = await makeServed({ tasks: { anywhere: {}, gpu: onGpu } });
    await site.worker('plain');

    const check = site.check(['--out', 'out.json', '--max-duration', '1s']);

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(1);
    const { totals } = JSON.parse(await suite.read('out.json'));
    expect(totals.planned).toBe(2);
    expect(totals.notRun).toBeGreaterThan(0);
    const journal = await suite.read('out.jsonl');
    expect(journal).toMatch(/"type":"run-ended".*"budget":\{"kind":"duration"/);
  });
});

describe('a run that was detached', () => {
  it('keeps its budget, whoever comes back to it', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { anywhere: {}, gpu: onGpu } });
    await site.worker('plain');
    const out = ['--out', 'out.json'];
    const detached = await site.check([...out, '--detach', '--max-duration', '1s']).ended;
    expect(detached.exitCode, detached.stderr).toBe(0);

    const { exitCode, stdout, stderr } = await site.check([...out, '--resume']).ended;

    expect(exitCode, stderr).toBe(1);
    expect(stdout).toContain('--max-duration');
    const again = await site.check(out).ended;
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('did not finish');
    expect(await suite.read('out.jsonl')).toMatch(/"budget":\{"kind":"duration","limit":1000/);
  });

  it('is not resumed as something else than what workers do', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { anywhere: {}, gpu: onGpu } });
    await site.worker('plain');
    const out = ['--out', 'out.json'];
    await site.check([...out, '--detach']).ended;
    await suite.write(
      'tasks/anywhere.yaml',
      `${await suite.read('tasks/anywhere.yaml')}\n# other\n`,
    );

    const { exitCode, stderr } = await site.check([...out, '--resume', '--force']).ended;

    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('not those that the workers were given');
    expect(stderr).toContain('proctor queue cancel');

    // Neither piece of advice leads back to the other one.
    for (const resume of [[], ['--resume']]) {
      const refused = await site.check([...out, ...resume]).ended;
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).toMatch(
        /discard it with --force|give --force without --resume to start a new run\n/,
      );
    }
    const forced = await site.check([...out, '--force', '--detach']).ended;
    expect(forced.exitCode, forced.stderr).toBe(0);
  });

  it('is continued with changed files after it was cancelled, and what workers had done counts', async ({
    makeServed,
  }) => {
    const { suite, site } = await makeServed({ tasks: { anywhere: {}, gpu: onGpu } });
    const worker = await site.worker('plain');
    const out = ['--out', 'out.json'];
    await site.check([...out, '--detach']).ended;
    await worker.says('ended anywhere#1');
    await suite.write('tasks/gpu.yaml', `${await suite.read('tasks/gpu.yaml')}\n# other\n`);
    const forced = [...out, '--resume', '--force'];
    const refused = await site.check(forced).ended;
    const [, id = ''] = /proctor queue cancel (\S+);/.exec(refused.stderr) ?? [];
    expect(await site.ask('queue', 'cancel', id)).toMatchObject({ exitCode: 0 });

    const collected = await site.check(forced).ended;
    expect(collected.exitCode, collected.stderr).toBe(130);
    expect(collected.stderr).toContain('The run was cancelled: collecting what workers have done');
    expect((await site.status()).runs).toEqual([]);

    await site.worker('gpu', { args: ['--label', 'cluster=gpu'] });
    const { exitCode, stderr } = await site.check(forced).ended;
    expect(exitCode, stderr).toBe(0);
    const journal = await suite.read('out.jsonl');
    expect(journal.match(/"type":"task-run-started".*"task":"anywhere"/g)).toHaveLength(1);
    expect(journal.match(/"changed":\["tasks\/gpu.yaml"\]/g)).toHaveLength(1);
  });

  it('keeps its agent if --force resumes it although nothing has changed', async ({
    makeServed,
  }) => {
    const { suite, site } = await makeServed({ tasks: { a: {} } });
    await site.worker('plain');
    const out = ['--out', 'out.json'];
    await site.check([...out, '--detach']).ended;

    const { exitCode, stderr } = await site.check([...out, '--resume', '--force']).ended;

    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(await suite.read('out.json')).agent).toMatchObject({ type: 'scripted' });
    const lines = (await suite.read('out.jsonl')).trimEnd().split('\n');
    const resumed = lines
      .map((line) => JSON.parse(line))
      .find(({ type }) => type === 'run-resumed');
    expect(resumed).not.toHaveProperty('options');
  });

  it('is queued anew if --resume is given another queue, and the check says so', async ({
    makeServed,
  }) => {
    const { site } = await makeServed({ tasks: { a: {} } });
    const prefix = ['--queue-prefix', 'other'];
    await site.worker('first');
    await site.worker('second', { args: prefix });
    const out = ['--out', 'out.json'];
    await site.check([...out, '--detach']).ended;

    const { exitCode, stderr } = await site.check([...out, ...prefix, '--resume']).ended;

    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('This queue does not have the run');
  });

  it('leaves nobody to report, so that --detach takes no reporter', async ({ makeServed }) => {
    const { site } = await makeServed({ tasks: { a: {} } });
    for (const args of [
      ['-o', 'json'],
      ['--reporter', 'junit=out.xml'],
    ]) {
      const { exitCode, stderr } = await site.check(['--detach', ...args]).ended;
      expect(exitCode).toBe(2);
      expect(stderr).toContain('no results to report yet');
    }
  });

  it('leaves nobody to count what several evals spend together', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: {} } });
    const other = (await suite.read('eval.yaml')).replace(/("?name"?): *"?[\w-]+"?/, '$1: "other"');
    await suite.write('other.yaml', other);
    for (const args of [['--bail=1'], ['--max-tokens', '1k']]) {
      const { exitCode, stderr } = await site.check(['other.yaml', '--detach', ...args]).ended;
      expect(exitCode, stderr).toBe(2);
      expect(stderr).toContain('a budget or --bail');
    }
  });
});

describe('options of a queue', () => {
  it.for([
    ['--queue-ttl', '1h'],
    ['--queue-prefix', 'mine'],
    ['--bundle-max-size', '1'],
    ['--bundle-root', '.'],
  ])('%s is of no use without one', async (option, { makeServed }) => {
    const { suite } = await makeServed({ tasks: { a: {} } });
    const { exitCode, stderr } = await suite.check(option);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${option[0]} needs --queue`);
  });
});
