import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { examples, proctor } from '../support/cli.js';
import { journalOfRuns } from '../support/journal-of-runs.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const parallel = { parallel: true };
const tasks = { a: {}, b: {}, long: parallel, short: parallel, new: parallel };

/** The journal of an earlier run, in which tasks took so many seconds. */
function earlier(seconds: Record<string, number>): string {
  const runs = Object.entries(seconds).map(([task, each]) => ({
    task,
    outcome: 'passed' as const,
    durationMs: each * 1000,
  }));
  return journalOfRuns('earlier', runs);
}

const seconds = { a: 10, b: 10, long: 100, short: 4 };
const files = { 'earlier.jsonl': earlier(seconds) };

interface Listed {
  shard: string;
  cut?: { digest: string; expectedMs: number };
  taskRuns: { task: string }[];
}

async function list(suite: ScratchSuite, ...args: string[]): Promise<Listed> {
  const { stdout, stderr } = await suite.proctor(['list', 'eval.yaml', '-o', 'json', ...args]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const namesOf = ({ taskRuns }: Listed) => taskRuns.map(({ task }) => task).join(' ');

describe('--shard N', () => {
  it('takes the index from an Indexed Job, and is recorded as I/N', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    for (const index of ['0', '1']) {
      const out = ['--out', `${index}.json`];
      const { exitCode, stderr } = await suite.proctor(
        ['check', 'eval.yaml', '--shard', '2', ...out],
        { JOB_COMPLETION_INDEX: index },
      );
      expect(exitCode, stderr).toBe(0);
    }
    const options = async (name: string) => JSON.parse(await suite.read(name)).options;
    expect(await options('0.json')).toEqual({ shard: '1/2' });
    expect(await options('1.json')).toEqual({ shard: '2/2' });
    const merged = await suite.proctor([
      'result',
      'merge',
      '0.json',
      '1.json',
      '--out',
      'all.json',
    ]);
    expect(merged).toMatchObject({ exitCode: 0, stderr: '' });
    expect(merged.stdout).toContain('5 task runs of 5 tasks from 2 evaluations');
    expect((await suite.proctor(['verify', 'all.json', '--task', '1'])).exitCode).toBe(0);
    const one = await suite.proctor(['result', 'merge', '1.json', '--out', 'one.json']);
    expect(one.stderr).toBe('warning shard 1/2 is missing\n');
  });

  test.each([
    [{}, 'JOB_COMPLETION_INDEX is not set', 'write which one, such as --shard 1/2'],
    [{ JOB_COMPLETION_INDEX: 'x' }, 'from 0 to 1, found "x"', ''],
    [{ JOB_COMPLETION_INDEX: '2' }, 'from 0 to 1, found "2"', 'are the completions of the Job'],
  ])('is refused with %j', async (env, message, hint) => {
    const quickstart = path.join(examples, 'quickstart/eval.yaml');
    for (const command of ['check', 'list']) {
      const { exitCode, stdout, stderr } = await proctor([command, quickstart, '--shard', '2'], {
        env,
      });
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toContain(hint);
    }
  });
});

describe('--shard-durations', () => {
  it('gives each shard as much to do, and keeps what is sequential together', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({ tasks, files });
    const durations = ['--shard-durations', 'earlier.jsonl'];
    const [first, second, third] = await Promise.all(
      ['1/3', '2/3', '3/3'].map((shard) => list(suite, '--shard', shard, ...durations)),
    );
    // `new` counts like the mean of the others, 31 seconds.
    expect(first && namesOf(first)).toBe('a b short');
    expect(second && namesOf(second)).toBe('new');
    expect(third && namesOf(third)).toBe('long');
    const digest = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(first?.cut).toEqual({ digest, expectedMs: 24_000 });
    expect(second?.cut).toEqual({ digest: first?.cut?.digest, expectedMs: 31_000 });
    const text = await suite.proctor(['list', 'eval.yaml', '--shard', '1/3', ...durations]);
    expect(text.stdout).toContain('shard 1/3, about 24.0 s of task runs by earlier results\n');
  });

  it('takes several files in any order, and one that is told twice once', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks,
      files: {
        ...files,
        'again.jsonl': earlier(seconds),
        'mcpchecker.json': '[{"taskName":"a","taskPassed":true}]',
        'other.jsonl': journalOfRuns('other', [
          { task: 'long', outcome: 'passed', durationMs: 50_000 },
        ]),
      },
    });
    const cut = async (...paths: string[]) =>
      (await list(suite, '--shard', '1/2', '--shard-durations', ...paths)).cut;
    const one = await cut('earlier.jsonl');
    expect(await cut('earlier.jsonl', 'again.jsonl', 'mcpchecker.json')).toEqual(one);
    const both = await cut('earlier.jsonl', 'other.jsonl');
    expect(both?.digest).not.toBe(one?.digest);
    expect(await cut('other.jsonl', '--shard-durations', 'earlier.jsonl')).toEqual(both);
  });

  it('is recorded by what it says, so that merging sees other cuts', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks,
      files: {
        ...files,
        'elsewhere/copy.jsonl': earlier(seconds),
        'later.jsonl': earlier({ ...seconds, short: 500 }),
      },
    });
    const check = async (shard: string, out: string, ...durations: string[]) => {
      const cut = durations.length > 0 ? ['--shard-durations', ...durations] : [];
      const { exitCode, stderr } = await suite.proctor(
        ['check', 'eval.yaml', '--shard', shard, ...cut, '--out', out],
        {},
      );
      expect(exitCode, stderr).toBe(0);
      return JSON.parse(await suite.read(out)).options;
    };
    const merge = (...names: string[]) =>
      suite.proctor(['result', 'merge', ...names, '--out', 'all.json']);
    const verify = async (...names: string[]) =>
      (await suite.proctor(['verify', ...names, '--task', '0.1'])).exitCode;

    const one = await check('1/2', '1.json', 'earlier.jsonl');
    const two = await check('2/2', '2.json', 'elsewhere/copy.jsonl');
    const { cut } = await list(suite, '--shard', '2/2', '--shard-durations', 'earlier.jsonl');
    expect(one).toEqual({ shard: '1/2', 'shard-durations': cut?.digest });
    expect(two).toEqual({ shard: '2/2', 'shard-durations': cut?.digest });
    const whole = await merge('1.json', '2.json');
    expect(whole).toMatchObject({ exitCode: 0, stderr: '' });
    expect(whole.stdout).toContain('5 task runs of 5 tasks from 2 evaluations\n');
    expect(await verify('all.json')).toBe(0);

    await check('2/2', 'other.json', 'later.jsonl');
    await check('2/2', 'even.json');
    for (const other of ['other.json', 'even.json']) {
      const refused = await merge('1.json', other);
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toContain('the 2 shards were cut by the durations');
      expect(refused.stderr).toContain('task runs are missing or there twice');
      expect(await verify('1.json', other)).toBe(1);
    }
    const forced = await merge('1.json', 'other.json', '--force');
    expect(forced.exitCode).toBe(0);
    expect(forced.stderr).toContain('warning the 2 shards were cut by the durations');
    expect(forced.stderr).toContain('warning shard 1/2 is missing among those cut by');
    expect(await verify('all.json')).toBe(1);
  });

  it('has to say the same to go on', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks,
      files: { ...files, 'later.jsonl': earlier({ ...seconds, short: 500 }) },
    });
    const check = (name: string, ...args: string[]) =>
      suite.check(['--shard', '1/2', '--shard-durations', name, ...args]);
    expect((await check('earlier.jsonl')).exitCode).toBe(0);
    const changed = await check('later.jsonl', '--resume');
    expect(changed.exitCode).toBe(2);
    expect(changed.stderr).toMatch(/changed since that run: .*--shard-durations\n/);
    expect((await check('earlier.jsonl', '--resume')).exitCode).toBe(0);
  });

  it('is part of the command that runs failures again', async ({ makeSuite }) => {
    const verify = [script('exit 1')];
    const suite = await makeSuite({ tasks: { ...tasks, a: { spec: { verify } } }, files });
    const again = '--shard 1/2 --shard-durations earlier.jsonl --rerun-failed out.json';
    const cut = ['--shard', '1/2', '--shard-durations', 'earlier.jsonl'];
    const { exitCode, stdout } = await suite.check(cut);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`proctor check eval.yaml ${again}\n`);
  });

  it('goes without where no task is known, and says so', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, files: { 'other.jsonl': earlier({ other: 5 }) } });
    const args = ['--shard', '2/2', '--shard-durations', 'other.jsonl'];
    const { exitCode, stderr, results } = await suite.check(args);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('--shard-durations has no durations for the tasks in this plan');
    expect(results?.options).toEqual({ shard: '2/2' });
    const strict = await suite.proctor(['list', 'eval.yaml', '--strict', ...args]);
    expect(strict.exitCode).toBe(2);
    expect(strict.stderr).toContain('unknown-durations');
  });

  it('is refused where it makes no sense', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, files });
    const refused = async (message: string, ...args: string[]) => {
      for (const command of ['check', 'list']) {
        const call = [command, 'eval.yaml', ...args];
        const { exitCode, stdout, stderr } = await suite.proctor(call);
        expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
        expect(stderr).toContain(message);
      }
    };
    const cut = ['--shard', '1/2', '--shard-durations'];
    await refused('without --shard there is nothing to cut', '--shard-durations', 'earlier.jsonl');
    await refused('none.json does not exist', ...cut, 'earlier.jsonl', 'none.json');
    await refused('eval.yaml holds no results', ...cut, 'eval.yaml');
    await refused('argument missing', ...cut);
  });

  it('is not overwritten', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, files });
    const cut = ['--shard', '1/2', '--shard-durations', 'earlier.jsonl'];
    const out = await suite.proctor(['check', 'eval.yaml', ...cut, '--out', 'earlier.json']);
    expect(out.exitCode).toBe(2);
    expect(out.stderr).toContain('--shard-durations: earlier.jsonl would be overwritten');
    const report = await suite.check([...cut, '--reporter', 'junit=earlier.jsonl']);
    expect(report.exitCode).toBe(2);
    expect(report.stderr).toContain('earlier.jsonl is the file of --shard-durations');
    expect(await suite.read('earlier.jsonl')).toBe(files['earlier.jsonl']);
  });
});
