import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { type ActionResult, readAction, runAction } from '../support/composite-action.js';
import { proctorProgram } from '../support/proctor-process.js';
import { it, ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

/** Writes down how it was called, and has one comment, of which `COMMENT` is the id. */
const fakeGh = `#!/bin/bash
printf '%s\\n' "$*" >> "$GH_CALLS"
case "$*" in
  'api user '*) echo tester ;;
  *--paginate*) if [ -n "$COMMENT_ID" ]; then echo "$COMMENT_ID"; fi ;;
  *) for word in "$@"; do case "$word" in body=@*) cp "\${word#body=@}" "$GH_BODY" ;; esac; done ;;
esac
`;

const tasks = { good: {}, wrong: { spec: { verify: [script('test ! -e broken')] } } };

async function run(
  suite: ScratchSuite,
  inputs: Record<string, string>,
  { pullRequest = '', commentId = '' } = {},
): Promise<ActionResult & { calls: string; comment: string }> {
  await suite.write('bin/gh', fakeGh);
  await chmod(suite.path('bin/gh'), 0o755);
  await suite.write('gh-calls', '');
  await suite.write('gh-body', '');
  const result = await runAction({
    folder: suite.folder,
    inputs: { eval: 'eval.yaml', path: proctorProgram, ...inputs },
    pullRequest,
    env: {
      PATH: `${suite.path('bin')}:${process.env.PATH}`,
      HOME: inject('homeFolder'),
      TMPDIR: suite.temporaryFolder,
      GH_CALLS: suite.path('gh-calls'),
      GH_BODY: suite.path('gh-body'),
      COMMENT_ID: commentId,
    },
  });
  return { ...result, calls: await suite.read('gh-calls'), comment: await suite.read('gh-body') };
}

describe('the GitHub action', () => {
  test('has nothing that its documentation does not have', async () => {
    const { inputs, outputs, runs } = await readAction();
    const docs = path.resolve(import.meta.dirname, '../../docs/github-action.md');
    const text = await readFile(docs, 'utf8');
    const rows = new Set([...text.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name));
    expect(
      [...Object.keys(inputs), ...Object.keys(outputs)].filter((name) => !rows.has(name)),
    ).toEqual([]);
    // What is written into a script could be a command.
    for (const { run } of runs.steps) expect(run).not.toContain('${{');
  });

  it('runs a check, and tells what came of it', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    const { exitCode, outputs, log, summary } = await run(suite, { args: '--runs\n2' });
    expect(exitCode, log).toBe(0);
    expect(outputs).toMatchObject({
      'results-file': 'proctor-results.json',
      'report-file': 'proctor-report.html',
      'tasks-total': '4',
      'tasks-passed': '4',
      'task-pass-rate': '1.0000',
    });
    expect(Object.values(outputs)).not.toContain('');
    expect(await suite.read('proctor-report.html')).toContain('<html');
    expect(summary).toContain('4 of 4 judged task runs passed');
  });

  it('fails if something does not pass and nothing else was asked for', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, files: { 'tasks/broken': '' } });
    const { exitCode, outputs, log } = await run(suite, {});
    expect(exitCode, log).toBe(1);
    expect(outputs['tasks-passed']).toBe('1');
  });

  it('lets thresholds decide', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, files: { 'tasks/broken': '' } });
    const fine = await run(suite, { 'min-task-rate': '0.5', 'pass-hat-k': '1=0.5' });
    expect(fine.exitCode, fine.log).toBe(0);
    const missed = await run(suite, { 'min-task-rate': '0.9', args: '--force' });
    expect(missed.exitCode, missed.log).toBe(1);
    expect(missed.log).toContain('::error title=Proctor::a threshold is missed');
  });

  it('compares, and keeps one comment up to date', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    const base = await run(suite, { 'results-file': 'base.json' });
    expect(base.exitCode, base.log).toBe(0);
    await suite.write('tasks/broken', '');
    const inputs = { 'base-results': 'base.json\nnone.json', 'github-token': 'secret' };
    const first = await run(suite, { ...inputs, 'fail-on': 'any-drop' }, { pullRequest: '7' });
    expect(first.exitCode, first.log).toBe(1);
    expect(first.log).toContain('a file of base-results does not exist');
    expect(first.log).toContain('::error title=Proctor::it is worse than the base');
    expect(first.calls).toContain('api repos/team/repo/issues/7/comments -F body=@');
    expect(first.comment).toMatch(/^<!-- mcp-proctor \d+ -->\n/);
    expect(first.summary).toContain(first.comment.split('\n').slice(1).join('\n'));
    const later = { pullRequest: '7', commentId: '42' };
    const second = await run(suite, { ...inputs, 'fail-on': 'never' }, later);
    expect(second.exitCode, second.log).toBe(1);
    expect(second.log).toContain('the comparison does not settle it');
    expect(second.calls).toContain('api --method PATCH repos/team/repo/issues/comments/42 -F');
  });

  it('lets a comparison decide only if it can tell of all task runs', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, files: { 'tasks/broken': '' } });
    const five = '--force\n--runs\n5';
    await run(suite, { 'results-file': 'base.json', args: five });
    const base = { 'base-results': 'base.json' };
    const same = await run(suite, { ...base, args: five });
    expect(same.exitCode, same.log).toBe(0);
    const few = await run(suite, { ...base, args: '--force' });
    expect(few.exitCode, few.log).toBe(1);
    const bailed = await run(suite, { ...base, args: `${five}\n--bail\n4` });
    expect(bailed.exitCode, bailed.log).toBe(1);
    await suite.write(
      'tasks/new.yaml',
      (await suite.read('tasks/wrong.yaml')).replace('wrong', 'new'),
    );
    const added = await run(suite, { ...base, args: five });
    expect(added.exitCode, added.log).toBe(1);
  });

  it('does not let a suite that hardly moves hide a task that broke', async ({ makeSuite }) => {
    const others = Array.from({ length: 19 }, (_, index) => [`good-${index}`, {}]);
    const suite = await makeSuite({ tasks: { ...Object.fromEntries(others), wrong: tasks.wrong } });
    const base = await run(suite, { 'results-file': 'base.json' });
    expect(base.exitCode, base.log).toBe(0);
    await suite.write('tasks/broken', '');
    const broken = await run(suite, { 'base-results': 'base.json' });
    expect(broken.summary).toContain('no change');
    expect(broken.log).toContain('the comparison does not settle it');
    expect(broken.exitCode, broken.log).toBe(1);
  });

  it('lets the check alone decide where the base says nothing', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await run(suite, { 'results-file': 'base.json' });
    const other = (await suite.read('base.json')).replace('"name":"agent"', '"name":"other"');
    await suite.write('other.json', other);
    await suite.write('torn.json', (await suite.read('base.json')).slice(0, 30));
    const on = { 'github-token': 'secret', args: '--force' };
    const pullRequest = '7';
    for (const [base, why] of [
      ['other.json', '    error: these results are not comparable: different agents: '],
      ['torn.json', '    error: torn.json'],
    ] as const) {
      const fine = await run(suite, { ...on, 'base-results': base }, { pullRequest });
      expect(fine.exitCode, fine.log).toBe(0);
      expect(fine.summary).toContain(`## Not compared with the base\n\n${why}`);
      expect(fine.comment).toContain(why);
      expect(fine.log).toContain('::warning title=Proctor::there is no comparison with the base');
    }
    await suite.write('tasks/broken', '');
    for (const failOn of ['regression', 'never']) {
      const inputs = { ...on, 'base-results': 'other.json', 'fail-on': failOn };
      const broken = await run(suite, inputs);
      expect(broken.exitCode, broken.log).toBe(1);
      const rated = await run(suite, { ...inputs, 'min-task-rate': '0.5' });
      expect(rated.exitCode, rated.log).toBe(0);
    }
    const allowed = { ...on, 'base-results': 'other.json', 'allow-different': 'true' };
    const compared = await run(suite, { ...allowed, 'fail-on': 'any-drop' });
    expect(compared.log).toContain('::error title=Proctor::it is worse than the base');
    expect(compared.summary).toContain('different agents');
  });

  it.each([
    ['fail-on', 'always'],
    ['allow-different', 'yes'],
  ])('refuses a wrong %s before the check', async (name, value) => {
    const suite = await ScratchSuite.create({ tasks });
    const { exitCode, log } = await run(suite, { [name]: value }).finally(() => suite.remove());
    expect(exitCode, log).toBe(2);
    expect(log).toContain(`::error title=Proctor::${name}: expected `);
    expect(log).not.toContain('Checking the servers');
  });

  it('has no threshold that stays silent, or that says nothing of failures', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({ tasks, files: { 'tasks/broken': '' } });
    const budget = await run(suite, { 'max-errors': '0' });
    expect(budget.log).toContain('passed: the threshold holds');
    expect(budget.exitCode, budget.log).toBe(1);
    const alone = await run(suite, { confidence: '0.95', args: '--force' });
    expect(alone.exitCode, alone.log).toBe(2);
  });

  it('takes no results of before for those of a check that did not run', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await run(suite, {});
    const { exitCode, log } = await run(suite, { args: '--help' });
    expect(exitCode, log).toBe(2);
    expect(log).toContain('the check left no results');
  });

  it('writes no comment without a token, a pull request, or the wish for it', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({ tasks: { good: {} } });
    await run(suite, { 'results-file': 'base.json' });
    const token = { 'github-token': 'secret' };
    for (const [inputs, pullRequest] of [
      [{}, '7'],
      [token, ''],
      [{ ...token, comment: 'false' }, '7'],
    ] as const) {
      const all = { 'base-results': 'base.json', ...inputs };
      const { calls, exitCode, log } = await run(suite, all, { pullRequest });
      expect(exitCode, log).toBe(0);
      expect(calls).toBe('');
    }
  });

  it('takes no input for a command', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { good: {} } });
    const attack = '$(touch pwned) `touch pwned`"; touch pwned; "';
    const { exitCode, log } = await run(suite, {
      eval: attack,
      args: attack,
      'results-file': attack,
      'base-results': attack,
      'min-task-rate': attack,
    });
    expect(exitCode, log).toBe(2);
    await expect(suite.read('pwned')).rejects.toThrow('ENOENT');
  });

  it('ends with the check that could not run', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { good: {} } });
    const { exitCode, log } = await run(suite, { eval: 'none.yaml' });
    expect(exitCode, log).toBe(2);
    expect(log).not.toContain('# Sum up');
  });
});
