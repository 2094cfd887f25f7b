import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readResults } from '../support/check-results.js';
import type { CheckSuite } from '../support/check-suite.js';
import { killedIn, suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';

async function addTask(suite: CheckSuite, name: string): Promise<void> {
  const like = readFileSync(`${suite.folder}/tasks/c.yaml`, 'utf8');
  await suite.write(`tasks/${name}.yaml`, like.replace('name: c', `name: ${name}`));
}

describe('a run that is forced to go on with more tasks', () => {
  test.each([
    { fail: 'none', code: 0 },
    { fail: 'verify-d', code: 1 },
  ])('exits by all of them ($code)', async ({ fail, code }) => {
    const suite = await suiteOf({ env: { FAIL: fail } });
    await killedIn(suite, 'verify');
    await addTask(suite, 'd');

    const { exitCode, stderr } = await suite.check('--resume', '--force');

    expect(exitCode, stderr).toBe(code);
    const { totals, taskRuns } = readResults(suite.results);
    expect(totals).toMatchObject({ planned: 4, notRun: 0 });
    expect(taskRuns).toHaveLength(4);
    expectNothingLeft(suite);
  });

  test('has in its results the options that counted in the end', async () => {
    const suite = await suiteOf({ tasks: ['a', 'b'] });
    await killedIn(suite, 'verify');

    const { exitCode } = await suite.check('--resume', '--force', '--runs', '2');

    expect(exitCode).toBe(0);
    expect(readResults(suite.results)).toMatchObject({
      options: { runs: 2 },
      totals: { planned: 4 },
    });
  });
});

describe('tasks whose names hold what is redacted', () => {
  const tasks = ['kubernetes-a', 'kubernetes-b'];
  const secret = { CLUSTER: 'kubernetes' };
  const config = `mcpServers:
  shell:
    command: /bin/sh
    args: ["\${SERVER}"]
    env: { CLUSTER: "\${CLUSTER}" }
    enableAllTools: true
`;

  test('are not done again by --resume', async () => {
    const suite = await suiteOf({ tasks, env: secret });
    await suite.write('mcp.yaml', config);
    suite.close('verify', 'kubernetes-b');
    const killed = suite.start();
    await suite.reached('verify', 'kubernetes-b');
    killed.kill('SIGKILL');
    await killed.ended;
    suite.open('verify', 'kubernetes-b');

    const { exitCode, stderr } = await suite.check('--resume');

    expect(exitCode, stderr).toBe(0);
    expect(suite.traces('setup', 'kubernetes-a')).toHaveLength(1);
    expect(suite.traces('undo', 'kubernetes-b')).toHaveLength(2);
    expect(readResults(suite.results).taskRuns).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  });

  test('are found by --rerun-failed', async () => {
    const suite = await suiteOf({ tasks, env: { ...secret, FAIL: 'verify-kubernetes-b' } });
    await suite.write('mcp.yaml', config);
    expect((await suite.check()).exitCode).toBe(1);

    const { exitCode } = await suite.check('--rerun-failed', suite.results);

    expect(exitCode).toBe(1);
    expect(suite.traces('setup', 'kubernetes-a')).toHaveLength(1);
    expect(suite.traces('setup', 'kubernetes-b')).toHaveLength(2);
  });
});

test('--rerun-failed counts only what it runs', async () => {
  const suite = await suiteOf({ tasks: ['a', 'b'], runs: 2, env: { FAIL: 'verify-b' } });
  expect((await suite.check()).exitCode).toBe(1);

  const rerun = suite.start(['--rerun-failed', suite.results], { FAIL: '' });
  const { exitCode, stdout } = await rerun.ended;

  expect(exitCode).toBe(0);
  expect(stdout).toContain('task runs  2: 2 passed\n');
  expect(stdout).toContain('tasks      1 of 1 passed in every run\n');
});

test('--rerun-failed can be repeated, as the report suggests', async () => {
  const suite = await suiteOf({ tasks: ['a', 'b'], env: { FAIL: 'verify-b' } });
  let { stdout } = await suite.check();
  for (const name of ['rerun', 'rerun-2', 'rerun-3']) {
    const [, results = ''] = /--rerun-failed (\S+)/.exec(stdout) ?? [];
    const rerun = await suite.check('--rerun-failed', results);
    expect(rerun.exitCode, rerun.stderr).toBe(1);
    stdout = rerun.stdout;
    expect(stdout).toContain(`Results: proctor-suite-${name}-out.json\n`);
  }
  expect(suite.traces('setup', 'a')).toHaveLength(1);
  expect(suite.traces('setup', 'b')).toHaveLength(4);
});

test('--rerun-failed does not overwrite the journal that it reads', async () => {
  const suite = await suiteOf({ tasks: ['a'], env: { FAIL: 'verify-a' } });
  expect((await suite.check()).exitCode).toBe(1);
  const before = readFileSync(suite.journal, 'utf8');

  const { exitCode, stderr } = await suite.check(
    ...['--rerun-failed', suite.journal, '--out', suite.results],
  );

  expect(exitCode).toBe(2);
  expect(stderr).toContain('would be overwritten');
  expect(readFileSync(suite.journal, 'utf8')).toBe(before);
});

test('an agent that removes more than it should does not prevent the cleanup', async () => {
  const suite = await suiteOf({ tasks: ['a'] });
  const agent = readFileSync(`${suite.folder}/agent.yaml`, 'utf8');
  await suite.write('agent.yaml', agent.replace('\'"$GATES', '\'rm -r ../private; "$GATES'));

  const { exitCode, stderr } = await suite.check();

  expect(exitCode, stderr).toBe(0);
  expect(suite.traces('undo', 'a')).toHaveLength(1);
  expectNothingLeft(suite);
});
