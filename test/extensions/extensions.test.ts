import { describe, expect } from 'vitest';
import {
  diarist,
  diaryOf,
  expectNothingLeft,
  extension,
  processesOf,
  startSuite,
  times,
  written,
} from '../support/extension-suite.js';
import { it } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';
import { outputs } from '../support/task-run-story.js';

const requires = [{ extension: 'diary' }];
const note = (id: string) => ({ id, 'diary.note': { by: '{task.name}' } });
const everywhere = { requires, setup: [note('s')], verify: [note('v')], cleanup: [note('c')] };

describe.concurrent('an extension', () => {
  it('is one process for all task runs and phases, also side by side', async ({ makeSuite }) => {
    const names = ['a', 'b', 'c', 'd'];
    const tasks = names.map((name) => [name, { parallel: true, runs: 2, spec: everywhere }]);
    const suite = await makeSuite({
      tasks: Object.fromEntries(tasks),
      config: { extensions: { diary: diarist() } },
    });

    const result = await suite.check(['-p', '8']);

    expect(result.exitCode, result.stderr).toBe(0);
    const diary = diaryOf(suite);
    expect(new Set(diary.map(({ pid }) => pid)).size).toBe(1);
    expect(diary.slice(0, 2).map(({ what }) => what)).toEqual(['start', 'initialize']);
    expect(diary.at(-1)?.what).toBe('shutdown');
    const asked = diary.slice(2, -1).map(({ what, phase, task, args }) => {
      expect(args).toEqual({ by: task });
      return `${what} ${task} ${phase}`;
    });
    const once = names.flatMap((name) =>
      ['cleanup', 'setup', 'verify'].map((at) => `${name} ${at}`),
    );
    expect(asked.sort()).toEqual(once.flatMap((each) => [`note ${each}`, `note ${each}`]));
    expect(result.events.filter(({ type }) => type === 'step-ended')).toHaveLength(24);
    await expectNothingLeft(suite);
  });

  it('gets its settings and what is known of the task run', async ({ makeSuite }) => {
    const settings = (id: string) => ({ id, 'it.settings': {} });
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            requires: [{ extension: 'good', as: 'it' }],
            setup: [settings('setup')],
            verify: [{ ...settings('verify'), timeout: '90s' }],
            cleanup: [settings('cleanup')],
          },
        },
      },
      config: {
        extensions: {
          good: extension('good.mjs', {
            config: {
              at: '~/state',
              deep: [{ user: 'it is {env.WHO}' }],
              count: 3,
              tilde: 'a ~/b',
            },
            env: { GREETING: 'Hello {env.WHO}' },
          }),
        },
      },
    });

    const result = await suite.check([], { WHO: '~/ada', HOME: '/home/ada' });

    expect(result.exitCode, result.stderr).toBe(0);
    const { setup, verify, cleanup } = outputs(result.events);
    const contextOf = (step: typeof setup) => JSON.parse(step?.context ?? '');
    expect(JSON.parse(setup?.config ?? '')).toEqual({
      at: '/home/ada/state',
      deep: [{ user: 'it is ~/ada' }],
      count: 3,
      tilde: 'a ~/b',
    });
    expect(setup).toMatchObject({ greeting: 'Hello ~/ada', cwd: suite.folder });
    const { workdir } = contextOf(setup);
    expect(workdir.startsWith(suite.temporaryFolder)).toBe(true);
    const env = { PROCTOR_TASK_NAME: 'one', PROCTOR_WORKDIR: workdir };
    expect(contextOf(setup)).toEqual({ workdir, phase: 'setup', env, timeout: '5m' });
    const more = { PROCTOR_AGENT_OUTPUT: expect.any(String), PROCTOR_CALLS: expect.any(String) };
    const agent = { prompt: 'Do one.', output: 'done' };
    const after = { workdir, env: { ...env, ...more }, agent };
    expect(contextOf(verify)).toEqual({ ...after, phase: 'verify', timeout: '1m30s' });
    expect(contextOf(cleanup)).toEqual({ ...after, phase: 'cleanup', timeout: '5m' });
  });

  it('is started only if a task that runs uses it, and never by validate', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: {
        uses: { spec: everywhere },
        names: { spec: { requires: [...requires, { extension: 'named' }] } },
      },
      config: {
        extensions: {
          diary: diarist(),
          named: diarist({ DIARY: 'others' }),
          unused: diarist({ DIARY: 'others' }),
        },
      },
    });

    expect(await suite.proctor(['validate', 'eval.yaml'])).toMatchObject({ exitCode: 0 });
    expect(await suite.check(['--run', 'names'])).toMatchObject({ exitCode: 0 });
    expect(diaryOf(suite)).toEqual([]);

    const connected = await suite.proctor(['validate', '--connect', 'eval.yaml']);
    expect(connected.exitCode, connected.stderr).toBe(0);
    expect(connected.stdout).toContain('extension diary 1.2.3: 3 operations\n');
    expect(connected.stdout).not.toContain('unused');
    const life = ['start', 'initialize', 'shutdown'];
    expect(diaryOf(suite).map(({ what }) => what)).toEqual(life);

    // The server is not there any more: nothing runs.
    await suite.write('mcp.yaml', '{"mcpServers":{"telling":{"command":"false"}}}');
    const refused = await suite.check(['--run', 'uses', '--force']);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('server-not-ready');
    expect(diaryOf(suite).map(({ what }) => what)).toEqual([...life, ...life]);
    expect(diaryOf(suite, 'others')).toEqual([]);
    await expectNothingLeft(suite);
  });

  it('is asked only for what it offers, with arguments that fit', async ({ makeSuite }) => {
    const wrong = [
      { 'diary.notes': {} },
      { 'diary.pick': { size: 'huge' } },
      { 'diary.pick': { size: 7 } },
    ];
    const suite = await makeSuite({
      tasks: { wrong: { spec: { requires, setup: [script('touch ran')], verify: wrong } } },
      config: { extensions: { diary: diarist() } },
    });
    const lines = (await suite.read('tasks/wrong.yaml')).split('\n');
    const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;
    const pick = lineOf('diary.pick');
    const flaw = 'error  [invalid-arguments]  size: must be one of "small","large"';

    for (const args of [
      ['check', 'eval.yaml'],
      ['validate', '--connect', 'eval.yaml'],
    ]) {
      const refused = await suite.proctor(args);
      const told = refused.stdout + refused.stderr;
      expect(refused.exitCode).toBe(2);
      const unknown = `wrong.yaml:${lineOf('diary.notes')}:9  error  [not-offered]`;
      expect(told).toContain(`${unknown}  the extension diary has no operation notes\n`);
      expect(told).toContain('did you mean note?');
      expect(told).toContain(`wrong.yaml:${pick}:9  ${flaw}\n`);
      expect(told).toContain(`wrong.yaml:${pick + 5}:9  ${flaw}\n`);
    }
    await expect(suite.read('tasks/ran')).rejects.toThrow('ENOENT');
    expect(times(diaryOf(suite), 'pick')).toBe(0);
  });

  it('is not asked with arguments of which only the run shows that they do not fit', async ({
    makeSuite,
  }) => {
    const pick = (value: string) => ({ 'diary.pick': { size: `{env.${value}}` } });
    const suite = await makeSuite({
      tasks: {
        fits: { spec: { requires, verify: [pick('FITTING')] } },
        'fits-not': { spec: { requires, verify: [pick('WRONG')] } },
      },
      config: { extensions: { diary: diarist() } },
    });

    const result = await suite.check([], { FITTING: 'small', WRONG: 'huge' });

    expect(result.taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: {
          category: 'step-error',
          message:
            'verify, step 1 (diary.pick): diary.pick cannot be asked for: size: must be one of "small","large"',
        },
      },
      { outcome: 'passed' },
    ]);
    const [step] = result.taskRuns[0]?.phases.verify?.steps ?? [];
    expect(step).toMatchObject({ outcome: 'error', args: { size: 'huge' } });
    const asked = diaryOf(suite).filter(({ what }) => what === 'pick');
    expect(asked.map(({ args }) => args)).toEqual([{ size: 'small' }]);
    // They had nothing to do with each other.
    expect(times(diaryOf(suite), 'start')).toBe(1);
  });
});

const held = {
  requires,
  setup: [{ id: 'made', 'diary.note': { id: '{random.id}' } }],
  verify: [{ 'diary.stay': {} }],
  cleanup: [{ 'diary.note': { undo: '{steps.made.pid}', of: '{random.id}' } }],
};

describe.concurrent('a check that ends while an extension works', () => {
  it('by Ctrl-C cleans up with a fresh one, and shuts both down', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: held } },
      config: { extensions: { diary: diarist() } },
    });
    const check = startSuite(suite);
    await written(suite, 'stay');

    check.kill('SIGINT');

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(130);
    const diary = diaryOf(suite);
    const [first, second, ...more] = new Set(diary.map(({ pid }) => pid));
    expect(more).toEqual([]);
    const lifeOf = (pid: number | undefined) =>
      diary.filter((entry) => entry.pid === pid).map(({ what }) => what);
    expect(lifeOf(first)).toEqual(['start', 'initialize', 'note', 'stay', 'shutdown']);
    expect(lifeOf(second)).toEqual(['start', 'initialize', 'note', 'shutdown']);
    expect(JSON.parse(await suite.read('out.json')).taskRuns).toMatchObject([
      { outcome: 'cancelled', cleanupFailed: false },
    ]);
    await expectNothingLeft(suite);
  });

  it('by kill -9 leaves it to --resume to end it and to clean up', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: held } },
      config: { extensions: { diary: diarist() } },
    });
    const check = startSuite(suite, { STUBBORN: 'yes' });
    await written(suite, 'stay');
    check.kill('SIGKILL');
    await check.ended;
    const before = diaryOf(suite);
    const [left] = before;
    expect(processesOf(suite).map(({ pid }) => pid)).toContain(left?.pid);
    await suite.write('may-leave', '');

    const result = await suite.check(['--resume']);

    expect(result.exitCode, result.stderr).toBe(0);
    const after = diaryOf(suite).slice(before.length);
    expect(new Set(after.map(({ pid }) => pid)).size).toBe(1);
    const made = before.find(({ what }) => what === 'note')?.args?.id;
    expect(after.map(({ what, phase }) => `${what} ${phase ?? ''}`.trim())).toEqual([
      'start',
      'initialize',
      'note cleanup',
      'note setup',
      'stay verify',
      'note cleanup',
      'shutdown',
    ]);
    expect(after[2]?.args).toEqual({ undo: String(left?.pid), of: made });
    expect(result.events.filter(({ type }) => type === 'task-run-ended')).toMatchObject([
      { taskRun: 'one#1', outcome: 'cancelled' },
      { taskRun: 'one#1.2', outcome: 'passed' },
    ]);
    await expectNothingLeft(suite);
  });
});
