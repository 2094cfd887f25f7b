import { copyFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import type { ResultsDiff } from '../../src/analysis/diff/results-diff.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import {
  callTelling,
  command,
  type SuiteParts,
  script,
  scripted,
  suiteFiles,
} from '../support/suite-parts.js';

const usedTool = { server: 'telling', tool: 'echo' };
const call = { type: 'tool', server: 'telling', name: 'echo' };
const parts = (spec: object, more: Partial<SuiteParts> = {}): SuiteParts => ({
  tasks: { remember: { spec } },
  agent: scripted(callTelling('echo', { text: 'hi' }), { say: 'done' }),
  ...more,
});

/** An agent that calls one tool, held against an assertion that it cannot meet. */
const strict = {
  verify: [script('true')],
  assertions: { toolsUsed: [usedTool], callOrder: [call, call] },
};
const lenient = { verify: [script('exit 0')], assertions: { toolsUsed: [usedTool] } };

async function checkAs(suite: ScratchSuite, name: string, args: string[] = []): Promise<void> {
  const { exitCode, stderr } = await suite.check(args);
  expect([0, 1], stderr).toContain(exitCode);
  await copyFile(suite.path('out.json'), suite.path(name));
}

/** The same suite with this in place of what it was. */
async function edit(suite: ScratchSuite, changed: SuiteParts): Promise<void> {
  for (const [name, text] of Object.entries(suiteFiles(changed))) await suite.write(name, text);
}

async function diffOf(suite: ScratchSuite) {
  const args = ['diff', '--base', 'base.json', '--current', 'current.json'];
  const { exitCode, stdout } = await suite.proctor(args);
  const { stdout: json } = await suite.proctor([...args, '-o', 'json']);
  const { stdout: markdown } = await suite.proctor([...args, '-o', 'markdown']);
  return { exitCode, stdout, markdown, data: JSON.parse(json) as ResultsDiff };
}

describe('a task whose judging was changed', { timeout: 60_000 }, () => {
  it('is no improvement in diff, and says what changed', async ({ makeSuite }) => {
    const suite = await makeSuite(parts(strict));
    await checkAs(suite, 'base.json', ['--runs', '6']);
    await edit(suite, parts(lenient));
    await checkAs(suite, 'current.json', ['--runs', '6']);
    const { exitCode, stdout, markdown, data } = await diffOf(suite);
    const what =
      'judged differently: the assertion callOrder is gone; verify step 1 (script) changed';
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^1 task is judged differently\n/);
    expect(stdout).not.toContain('better in');
    expect(stdout).not.toContain('improvement');
    expect(stdout).toContain(`remember: ${what}`);
    expect(stdout).toContain('run the base again with the tasks of today');
    expect(markdown).toMatch(/^## Compared with the base: ❔ 1 task is judged differently\n/);
    expect(markdown).toContain(what);
    expect(data.total).toMatchObject({
      verdict: 'judged differently',
      judgedDifferently: { tasks: 1, leftOut: false },
    });
    expect(data.tasks).toMatchObject([
      {
        ...{ task: 'remember', difference: 1, verdict: 'judged differently', moreRuns: null },
        judging: [
          { part: 'assertion', change: 'removed' },
          { part: 'verify', change: 'changed' },
        ],
      },
    ]);
  });

  it('is refused by merge and verify, and said by summary and compare', async ({ makeSuite }) => {
    const suite = await makeSuite(parts(strict));
    await checkAs(suite, 'base.json');
    await edit(suite, parts(lenient));
    await checkAs(suite, 'current.json');
    const files = ['base.json', 'current.json'];
    const what = 'the assertion callOrder is gone; verify step 1 (script) changed';

    const merge = await suite.proctor(['result', 'merge', ...files, '--out', 'all.json']);
    expect(merge.exitCode).toBe(2);
    expect(merge.stderr).toContain(
      `remember is judged differently in current.json than in base.json: ${what}`,
    );
    const forced = await suite.proctor([
      'result',
      'merge',
      ...files,
      '--out',
      'all.json',
      '--force',
    ]);
    expect(forced.exitCode, forced.stderr).toBe(0);

    const verify = await suite.proctor(['result', 'verify', ...files, '--task', '0.1']);
    expect(verify.exitCode).toBe(2);
    expect(verify.stderr).toContain(`remember is not judged alike in all files: ${what}`);
    const merged = await suite.proctor(['result', 'verify', 'all.json', '--task', '0.1']);
    expect(merged.exitCode, merged.stderr).toBe(0);

    for (const command of ['summary', 'tools']) {
      const { stdout } = await suite.proctor(['result', command, ...files]);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        `remember is not judged alike in all files: ${what}`,
      );
    }
    const compare = await suite.proctor(['result', 'compare', ...files]);
    expect(compare.exitCode).toBe(2);
    expect(compare.stderr).toContain('no task is judged alike for all of');
    expect(compare.stderr).toContain(`remember: ${what}`);
  });

  it('hides no regression from a baseline that holds it as it was and as it is', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(parts(strict));
    await checkAs(suite, 'old.json', ['--runs', '6']);
    await edit(suite, parts(lenient));
    await checkAs(suite, 'base.json', ['--runs', '6']);
    await edit(suite, parts(lenient, { agent: scripted({ say: 'no' }) }));
    await checkAs(suite, 'current.json', ['--runs', '6']);
    const args = ['diff', '--base', 'old.json', 'base.json', '--current', 'current.json'];
    const { exitCode, stdout } = await suite.proctor(args);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^worse in 1 task\n/);
    expect(stdout).toMatch(/remember +6 of 6, 100% .* 0 of 6, 0% .* -100.0 .* regression/);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'shown are the runs that are judged alike: 6 of 12 in base, 6 of 6 in current',
    );
    expect(text).toContain('judged differently: the assertion callOrder is gone');
  });

  it('is a regression if it got worse', async ({ makeSuite }) => {
    const suite = await makeSuite(parts(lenient));
    await checkAs(suite, 'base.json', ['--runs', '6']);
    await edit(suite, parts(strict));
    await checkAs(suite, 'current.json', ['--runs', '6']);
    const { exitCode, stdout, data } = await diffOf(suite);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^worse in 1 task\n/);
    expect(data.tasks).toMatchObject([{ verdict: 'regression', judging: [{}, {}] }]);
    expect(stdout).toContain('the assertion callOrder is new');
  });

  it('is the same task with comments and another order of keys', async ({ makeSuite }) => {
    const suite = await makeSuite(parts(strict));
    await checkAs(suite, 'base.json');
    const { spec, metadata, kind } = JSON.parse(await suite.read('tasks/remember.yaml'));
    const { prompt, verify, assertions } = spec;
    const { toolsUsed, callOrder } = assertions;
    const reordered = {
      ...{ metadata, kind },
      spec: { assertions: { callOrder, toolsUsed }, verify, prompt },
    };
    await suite.write('tasks/remember.yaml', `# The same.\n${JSON.stringify(reordered)}`);
    await checkAs(suite, 'current.json');
    const { stdout, data } = await diffOf(suite);
    expect(stdout).toMatch(/^no detectable difference\n/);
    expect(data.caveats).toEqual([]);
    expect(data.tasks[0]?.judging).toEqual([]);
  });

  it('is seen in the content of a script, a limit, the prompt and the judge', async ({
    makeSuite,
  }) => {
    const spec = (limit: string, prompt: string) => ({
      ...{ prompt: { inline: prompt }, limits: { timeout: limit } },
      verify: [{ script: { file: 'check.sh' } }],
    });
    const files = (text: string) => ({ files: { 'tasks/check.sh': text } });
    const suite = await makeSuite(parts(spec('60s', 'Say hi.'), files('true\n')));
    await checkAs(suite, 'base.json');
    await edit(suite, parts(spec('1m', 'Say hi.'), files('exit 0\n')));
    await checkAs(suite, 'current.json');
    expect((await diffOf(suite)).data.tasks[0]?.notes).toEqual([
      'judged differently: verify step 1 (script) changed',
    ]);
    await edit(suite, parts(spec('2m', 'Say hello.'), files('true\n')));
    await checkAs(suite, 'current.json');
    expect((await diffOf(suite)).data.tasks[0]?.notes).toEqual([
      'judged differently: the prompt changed; the time limit is 120 s, it was 60 s',
    ]);
  });

  it('is told apart in one journal after --resume --force', async ({ makeSuite }) => {
    const tasks = (spec: object) => ({ tasks: { a: { spec }, b: { spec } } });
    const suite = await makeSuite({ ...parts({}), ...tasks(strict) });
    await suite.check(['--bail']);
    const half = (await suite.read('out.jsonl')).split('\n');
    const end = half.findIndex((line) => line.includes('"type":"run-ended"'));
    await suite.write('out.jsonl', `${half.slice(0, end).join('\n')}\n`);
    await edit(suite, { ...parts({}), ...tasks(lenient) });
    const { taskRuns, exitCode } = await suite.check(['--resume', '--force']);
    expect(exitCode).toBe(1);
    const names = taskRuns.map(({ task, judging }) => [
      task,
      Object.keys(judging?.assertions ?? {}),
    ]);
    expect(names).toEqual([
      ['a', ['callOrder', 'toolsUsed']],
      ['b', ['toolsUsed']],
    ]);
  });

  it('has the assertions of today after recheck', async ({ makeSuite }) => {
    const suite = await makeSuite(parts(strict));
    await checkAs(suite, 'base.json');
    await edit(suite, parts(lenient));
    await checkAs(suite, 'current.json');
    const { stdout } = await suite.proctor([
      'recheck',
      'base.json',
      '--eval',
      'eval.yaml',
      '-o',
      'json',
    ]);
    const of = async (name: string) => JSON.parse(await suite.read(name)).taskRuns[0].judging;
    const [before, now] = [await of('base.json'), await of('current.json')];
    expect(JSON.parse(stdout).taskRuns[0].judging).toEqual({
      ...before,
      assertions: now.assertions,
    });
  });
});

describe('diff', { timeout: 60_000 }, () => {
  it('says that a task fails for another reason, at the same rate', async ({ makeSuite }) => {
    const spec = { verify: [script('test ! -e broken')], assertions: strict.assertions };
    const suite = await makeSuite(parts(spec));
    await checkAs(suite, 'base.json', ['--runs', '4']);
    await suite.write('tasks/broken', '');
    await checkAs(suite, 'current.json', ['--runs', '4']);
    const { stdout, markdown, data } = await diffOf(suite);
    const note =
      'fails for another reason: before assertion callOrder; now assertion callOrder, verify step 1';
    expect(data.tasks).toMatchObject([{ difference: 0, judging: [], notes: [note] }]);
    expect(stdout).toContain(`remember: ${note}`);
    expect(markdown).toContain(note);
  });

  it('says that a task fails for one more reason', async ({ makeSuite }) => {
    const spec = { verify: [script('test ! -e broken')], assertions: strict.assertions };
    const suite = await makeSuite(parts(spec));
    await suite.write('tasks/broken', '');
    await checkAs(suite, 'base.json');
    await edit(suite, parts(spec, { agent: scripted({ say: 'no' }) }));
    await checkAs(suite, 'current.json');
    expect((await diffOf(suite)).data.tasks[0]?.notes).toEqual([
      'fails for another reason: before assertion callOrder, verify step 1; now assertion callOrder, assertion toolsUsed, verify step 1',
    ]);
  });

  it('says that the agent has other settings, and merge refuses', async ({ makeSuite }) => {
    const suite = await makeSuite(parts(lenient, { agent: command('cat') }));
    await checkAs(suite, 'base.json');
    await edit(suite, parts(lenient, { agent: command('cat', { useVirtualHome: true }) }));
    await checkAs(suite, 'current.json');
    expect((await diffOf(suite)).data.caveats).toEqual([
      'different settings or skills of the agent',
    ]);
    const args = ['result', 'merge', 'base.json', 'current.json', '--out', 'all.json'];
    const { exitCode, stderr } = await suite.proctor(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'the agent has other settings or skills in current.json than in base.json',
    );
  });

  it('takes a scripted agent for the same when it gets a rule for a new task', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(parts(lenient));
    await checkAs(suite, 'base.json');
    const agent = scripted(callTelling('echo', { text: 'hi' }), { say: 'done' });
    const rule = { task: 'new', do: [{ say: 'new' }] };
    await edit(suite, parts(lenient, { agent: { scripted: [rule, ...agent.scripted] } }));
    await checkAs(suite, 'current.json');
    expect((await diffOf(suite)).data.caveats).toEqual([]);
    const args = ['result', 'merge', 'base.json', 'current.json', '--out', 'all.json'];
    const { exitCode, stderr } = await suite.proctor(args);
    expect(exitCode, stderr).toBe(0);
  });

  it('says first what passed before and fails now, after one run each', async ({ makeSuite }) => {
    const suite = await makeSuite(parts({ verify: [script('test ! -e broken')] }));
    await checkAs(suite, 'base.json');
    await suite.write('tasks/broken', '');
    await checkAs(suite, 'current.json');
    const { exitCode, stdout } = await diffOf(suite);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^passed before, fails now: 1 task; too few runs to rule out chance\n/);
    expect(stdout).toContain('remember: passed before, fails now: verify step 1');
  });

  it('says that it is not known for results without it whether tasks are judged alike', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(parts(lenient));
    await checkAs(suite, 'current.json');
    const { taskRuns, ...head } = JSON.parse(await suite.read('current.json'));
    const old = taskRuns.map(({ judging: _, ...taskRun }: { judging: object }) => taskRun);
    await suite.write('base.json', JSON.stringify({ ...head, id: 'old', taskRuns: old }));
    const { exitCode, stdout, data } = await diffOf(suite);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^no detectable difference/);
    const unknown = 'whether tasks are judged alike is not known: base did not record it';
    expect(data.caveats).toEqual([unknown]);
    // Today's assertions are known then, and nothing of the steps that verified it.
    await suite.proctor(['recheck', 'base.json', '--eval', 'eval.yaml', '--out', 'rechecked.json']);
    await copyFile(suite.path('rechecked.json'), suite.path('base.json'));
    expect((await diffOf(suite)).data.caveats).toEqual([unknown]);
  });
});
