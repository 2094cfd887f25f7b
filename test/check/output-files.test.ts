import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { markedProcesses } from '../../testing/marked-processes.js';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import { suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';

describe('two checks in one folder', () => {
  test('do not write the same files: the second names the process of the first', async () => {
    const suite = await suiteOf();
    suite.close('agent', 'b');
    const first = suite.start();
    await suite.reached('agent', 'b');

    for (const args of [[], ['--resume'], ['--force'], ['--out', 'proctor-suite-out.json']]) {
      const { exitCode, stderr } = await suite.check(...args);
      expect(exitCode, args.join(' ')).toBe(2);
      expect(stderr).toContain(`is in use: process ${first.pid} is running a check`);
      expect(stderr).toContain('wait for it, or choose another file with --out');
    }
    suite.release('agent', 'b');
    const { exitCode, stderr } = await first.ended;

    expect(exitCode, stderr).toBe(0);
    expect(suite.traces('setup')).toHaveLength(3);
    expectNothingLeft(suite);
  });

  test('with files of their own do not disturb each other, not even when one is killed', async () => {
    const suite = await suiteOf();
    suite.close('agent', 'b');
    const killed = suite.start(['--out', 'one.json']);
    await suite.reached('agent', 'b');
    killed.kill('SIGKILL');
    await killed.ended;
    suite.open('agent', 'b');
    suite.close('agent', 'c');
    const waiting = suite.start(['--out', 'two.json']);
    await suite.reached('agent', 'c');
    suite.close('verify', 'b');

    const resumed = suite.start(['--out', 'one.json', '--resume']);
    await suite.reached('verify', 'b');
    suite.release('agent', 'c');
    const two = await waiting.ended;
    suite.release('verify', 'b');
    const one = await resumed.ended;

    expect(two.exitCode, two.stderr).toBe(0);
    expect(one.exitCode, one.stderr).toBe(0);
    for (const name of ['one.json', 'two.json']) {
      const { taskRuns } = readResults(path.join(suite.folder, name));
      expect(taskRuns.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed']);
    }
    expectNothingLeft(suite);
  });

  test.each([
    ['of a process that is gone', () => ({ pid: endedProcess(), startTime: 'long ago' })],
    ['whose pid has another process now', () => ({ pid: process.pid, startTime: 'long ago' })],
    ['that is no lock at all', () => 'nonsense'],
  ])('are not kept from writing by a lock %s', async (_, lock) => {
    const suite = await suiteOf({ tasks: ['a'] });
    writeFileSync(`${suite.journal}.lock`, JSON.stringify(lock()));

    const { exitCode, stderr } = await suite.check();

    expect(exitCode, stderr).toBe(0);
    expectNothingLeft(suite);
  });
});

function endedProcess(): number {
  return spawnSync('true').pid;
}

test('results of other names beside the same journal are in use too', async () => {
  const suite = await suiteOf({ tasks: ['b'] });
  suite.close('agent', 'b');
  const first = suite.start(['--out', 'out.json']);
  await suite.reached('agent', 'b');

  for (const out of ['out.txt', 'out']) {
    const { exitCode, stderr } = await suite.check('--out', out, '--force');
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain(`is in use: process ${first.pid} is running a check`);
  }
  suite.release('agent', 'b');

  expect((await first.ended).exitCode).toBe(0);
  expect(readResults(path.join(suite.folder, 'out.json')).taskRuns).toHaveLength(1);
});

test('a symbolic link to results stays one', async () => {
  const suite = await suiteOf({ tasks: ['a'] });
  const link = path.join(suite.folder, 'link.json');
  writeFileSync(path.join(suite.folder, 'real.json'), 'old');
  symlinkSync('real.json', link);

  expect((await suite.check('--out', 'link.json')).exitCode).toBe(0);

  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readResults(path.join(suite.folder, 'real.json')).taskRuns).toHaveLength(1);
});

describe('files that cannot be written', () => {
  test('as they are no files, such as devices, are left alone', async () => {
    const suite = await suiteOf({ tasks: ['a'] });
    execFileSync('mkfifo', [path.join(suite.folder, 'device.json')]);

    const { exitCode, stderr } = await suite.check('--out', 'device.json');

    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('device.json: it is not a regular file');
    expect(lstatSync(path.join(suite.folder, 'device.json')).isFIFO()).toBe(true);
    expect(suite.traces()).toEqual([]);
  });

  test('as they belong to the suite are left alone', async () => {
    const suite = await suiteOf({ tasks: ['a'] });
    const before = readFileSync(path.join(suite.folder, 'agent.yaml'), 'utf8');

    const { exitCode, stderr } = await suite.check('--out', 'agent.yaml');

    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('agent.yaml is a file of the suite, and would be overwritten');
    expect(readFileSync(path.join(suite.folder, 'agent.yaml'), 'utf8')).toBe(before);
  });

  test('in a folder that takes none are told before anything runs', async () => {
    const suite = await suiteOf();

    // Nobody makes files there, not even root.
    const { exitCode, stderr } = await suite.check('--out', '/sys/results.json');

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^error: cannot write \/sys\/results.json: .*(permission denied|read-only)/m,
    );
    expect(stderr).toContain('choose another file');
    expect(suite.traces()).toEqual([]);
    expectNothingLeft(suite);
  });

  test('in a folder that is not there are told before anything runs', async () => {
    const suite = await suiteOf();

    const { exitCode, stderr } = await suite.check('--out', 'nowhere/results.json');

    expect(exitCode).toBe(2);
    expect(stderr).toContain('nowhere/results.json: its folder does not exist');
    expect(suite.traces()).toEqual([]);
  });

  test.each(['it.json', 'it.jsonl'])(
    'as %s is a folder are told before anything runs',
    async (name) => {
      const suite = await suiteOf({ tasks: ['a'] });
      mkdirSync(path.join(suite.folder, name));

      for (const args of [[], ['--resume'], ['--force']]) {
        const { exitCode, stderr } = await suite.check('--out', 'it.json', ...args);
        expect(exitCode, stderr).toBe(2);
        expect(stderr).toContain(`${name}: it is a folder: choose another file`);
      }
      expect(suite.traces()).toEqual([]);
      expectNothingLeft(suite);
    },
  );

  test.each([
    { when: 'at the start', blocks: 1 },
    { when: 'in the middle of a run', blocks: 64 },
  ])('as there is no room any more $when end the run, which cleans up', async ({ blocks }) => {
    const suite = await suiteOf({ tasks: ['a', 'b', 'c', 'd', 'e'], agent: 'scripted' });
    const check = suite.start(['-n', '5'], {}, blocks);

    const { exitCode, stderr } = await check.ended;

    expect(exitCode, stderr).toBe(1);
    expect(stderr).toMatch(
      /^error: cannot write the journal .*proctor-suite-out\.jsonl: .*; then continue with the same command and --resume$/m,
    );
    expect(suite.traces('setup').length).toBeLessThan(25);
    const ids = (step: string) => suite.traces(step).map(({ id }) => id);
    expect(ids('cleanup')).toEqual(ids('setup'));
    expect(markedProcesses(suite.mark)).toEqual([]);
    expect(readdirSync(suite.temporary)).toEqual([]);
    expect(existsSync(suite.results)).toBe(blocks > 1);
    if (blocks === 1) return;
    // What finished is in the results, which take less room than the journal.
    const hasPassed = ({ outcome }: { outcome: string }) => outcome === 'passed';
    const before = eventsOf(suite.journal, 'task-run-ended').filter(hasPassed);
    expect(before.length).toBeGreaterThan(0);
    expect(readResults(suite.results).taskRuns.filter(hasPassed)).toHaveLength(before.length);
    // With room again it goes on.
    const resumed = await suite.check('--resume', '-n', '5');
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(readResults(suite.results).taskRuns).toHaveLength(25);
    const ran = suite.traces('setup').length;
    expect(ran).toBeLessThanOrEqual(25 + 2);
    expect(readFileSync(suite.journal, 'utf8').endsWith('\n')).toBe(true);
  });
});
