import { describe, expect } from 'vitest';
import { programs, run } from '../support/example-shell.js';
import { it, travellingServer } from '../support/queue-suites.js';
import { script } from '../support/suite-parts.js';

/** Until somebody lets it go on. */
const waits = script('while [ ! -e "$GO" ]; do sleep 0.05; done');

describe('what people see of workers', () => {
  it('is who is there, who does what, and what nobody can do', async ({ makeServed }) => {
    const requires = [{ labels: { cluster: 'gpu' } }];
    const gpu = { parallel: true, spec: { requires, verify: [waits] } };
    const { suite, site } = await makeServed({ tasks: { a: {}, b: gpu } });
    const env = { GO: suite.path('tmp-go') };
    await site.worker('plain');
    const check = site.check(['-v', '--out', 'out.json']);
    await check.says('a  started on plain\n');
    await check.says('1 task run waits for a worker with cluster=gpu\n');
    await site.worker('fast', { args: ['--label', 'cluster=gpu', '--concurrency', '3'], env });
    await check.says('2 workers, 4 task runs at once\n');
    await suite.write('tmp-go', '');
    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('1 worker, 1 task run at once\n');
    expect(stderr).toMatch(/^\[2\/2\] passed b {2}\S+ \S+, \d+ calls?, on fast$/m);
    const { stdout } = await suite.proctor(['view', 'out.json', '--task', '^b$']);
    expect(stdout).toContain('on fast');
  });

  it('is why one does not take part, at its place in the suite', async ({ makeServed }) => {
    const servers = { shell: { ...travellingServer, env: { KEY: '${QUEUE_TEST_KEY}' } } };
    const { suite, site } = await makeServed({
      servers,
      tasks: { a: { spec: { verify: [waits] } } },
    });
    const env = { QUEUE_TEST_KEY: 'here', GO: suite.path('tmp-go') };
    const ready = await site.worker('ready', { env });
    await site.worker('poor');
    const check = site.check();
    await check.says('warning  worker poor cannot take part:\n  mcp.yaml:');
    await suite.write('tmp-go', '');
    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('the environment variable QUEUE_TEST_KEY is not set\n');

    await site.sendAway(ready);
    const refused = await site.check(['--force']).ended;
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('poor: mcp.yaml:');
    expect(refused.stderr).toContain('the environment variable QUEUE_TEST_KEY is not set\n');
  });

  it('is a command that comes back to what was handed over', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: {}, b: { parallel: true } } });
    await site.worker('one', { args: ['--queue-prefix', 'mine'] });
    const { exitCode, stdout, stderr } = await site.check([
      ...['--detach', '--out', 'of a day.json', '--queue-prefix', 'mine', '--runs', '2'],
    ]).ended;
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('Workers have 4 task runs to do. Come back with:\n  proctor check ');
    const bin = await programs(suite.folder);
    const [, command = ''] = stdout.split('Come back with:\n');
    const env = { HOME: suite.path('home'), TMPDIR: suite.temporaryFolder };
    const back = await run(['/bin/sh', '-c', command], { cwd: suite.folder, bin, env });
    expect(back.exitCode, back.log).toBe(0);
    expect(back.log).toContain('4: 4 passed');
    expect(back.log).not.toContain('starting afresh');
  });
});
