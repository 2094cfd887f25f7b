import { Redis } from 'ioredis';
import { describe, expect } from 'vitest';
import { it, note, travellingServer } from '../support/queue-suites.js';
import { expectNoTrace, expectNoTraceInFiles, filesOf } from '../support/secret-traces.js';
import { script, scripted } from '../support/suite-parts.js';

const keyed = { shell: { ...travellingServer, env: { SERVER_KEY: '${SERVER_KEY}' } } };
const secret = 'qX7v-Rk29-mB4w-Zt81-cN5j-Yd60';
const ofCoordinator = 'hL3p-Vs74-gT9x-Kw25-nE8b-Qa16';

describe('keys', () => {
  it('that no worker has are named before anything runs', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: {} }, servers: keyed });
    const worker = await site.worker('bare');

    const { exitCode, stderr } = await site.check(['--out', 'out.json'], { SERVER_KEY: secret })
      .ended;

    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('the only worker lacks something, and cannot take part');
    expect(stderr).toMatch(/bare: .*SERVER_KEY/s);
    expect(stderr).toContain('mcp.yaml');
    await worker.says('cannot take part in suite');
    await expect(suite.read('out.json')).rejects.toThrow('ENOENT');
    expect((await site.status()).runs).toEqual([]);
  });

  it('that one worker has make it do everything', async ({ makeServed }) => {
    const { suite, site } = await makeServed({
      tasks: { a: {}, b: { parallel: true, runs: 4 } },
      servers: keyed,
    });
    const bare = await site.worker('bare');
    await site.worker('keyed', { env: { SERVER_KEY: secret } });

    const { exitCode, stderr } = await site.check(['--out', 'out.json']).ended;

    expect(exitCode, stderr).toBe(0);
    const { taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(new Set(taskRuns.map(({ worker }: { worker: string }) => worker))).toEqual(
      new Set(['keyed']),
    );
    await bare.says('SERVER_KEY');
  });

  it('are never sent to Redis, nor kept anywhere', async ({
    redis,
    makeServed,
    onTestFinished,
  }) => {
    const { suite, site } = await makeServed({
      tasks: {
        a: {
          spec: {
            // More than a journal takes, too.
            setup: [script('seq -f "%.0f $SERVER_KEY" 1 60000')],
            verify: [script('echo "$SERVER_KEY" >&2')],
          },
        },
      },
      servers: keyed,
      agent: scripted(note, { say: 'done' }),
      files: { '.env': `SERVER_KEY=${secret}\n`, 'sub/.npmrc': `token=${ofCoordinator}\n` },
    });
    const given = filesOf(suite.folder);
    const client = new Redis(redis.url);
    const monitor = await client.monitor();
    onTestFinished(() => {
      client.disconnect();
      monitor.disconnect();
    });
    const sent: string[] = [];
    monitor.on('monitor', (_, command: string[]) => sent.push(command.join(' ')));
    const worker = await site.worker('one', { env: { SERVER_KEY: secret } });

    const ended = await site.check(['--out', 'out.json'], { SERVER_KEY: ofCoordinator }).ended;
    await site.sendAway(worker);

    expect(ended.exitCode, ended.stderr).toBe(0);
    const secrets = [secret, ofCoordinator];
    // What the step wrote was sent, and the files of the suite were.
    expect(sent.some((command) => command.includes('[redacted:SERVER_KEY]'))).toBe(true);
    expect(sent.some((command) => command.includes('tasks/a.yaml'))).toBe(true);
    expectNoTrace('what was sent to Redis', sent.join('\n'), secrets);
    const { stderr, stdout } = await worker.ended;
    expectNoTrace('what is said', ended.stderr + ended.stdout + stderr + stdout, secrets);
    // The bundle that the worker unpacked is among them.
    expect([...filesOf(suite.path('home'))].some((file) => file.endsWith('tasks/a.yaml'))).toBe(
      true,
    );
    expectNoTraceInFiles(suite.folder, secrets, given);
  });
});
