import { describe, expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const verify = (inline: string) => ({ spec: { verify: [script(inline)] } });

describe.concurrent('a script that could not do its work', () => {
  it('is an error that names the program, and no failure of the agent', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        missing: verify('nosuchcmd --count | grep -q 1 && true; nosuchcmd'),
        'last-of-a-pipe': verify('echo 1 | nosuchcmd'),
        'not-executable': verify('cd /; touch "$TMPDIR/x"; "$TMPDIR/x"'),
        'by-env': verify('#!/usr/bin/env nosuchcmd\ntrue'),
        'by-code': verify('exit 127'),
        'by-exec': verify('exec nosuchcmd'),
        'by-timeout': verify('timeout 5 nosuchcmd'),
        'by-xargs': verify('echo 1 | xargs nosuchcmd'),
        setup: { spec: { setup: [script('nosuchcmd')] } },
        cleanup: { spec: { cleanup: [script('nosuchcmd')] } },
      },
    });
    const { exitCode, stdout, taskRuns, events } = await suite.check();
    expect(exitCode).toBe(1);
    const found = taskRuns.map(({ task, outcome, failure }) => [task, outcome, failure?.message]);
    const of = (text: string) => expect.stringContaining(text);
    expect(found).toEqual([
      ['by-code', 'error', of('exited with code 127: a program that it calls was not found')],
      ['by-env', 'error', of('could not start "nosuchcmd": command not found')],
      ['by-exec', 'error', of('could not start "nosuchcmd": command not found')],
      ['by-timeout', 'error', of('could not start "nosuchcmd": command not found')],
      ['by-xargs', 'error', of('could not start "nosuchcmd": command not found')],
      ['cleanup', 'passed', undefined],
      ['last-of-a-pipe', 'error', of('could not start "nosuchcmd": command not found')],
      ['missing', 'error', of('could not start "nosuchcmd": command not found')],
      ['not-executable', 'error', of('/x": Permission denied')],
      ['setup', 'error', of('could not start "nosuchcmd": command not found')],
    ]);
    const categories = taskRuns.map(({ task, failure }) => `${task} ${failure?.category}`);
    expect(categories).toContain('missing step-error');
    expect(categories).toContain('setup setup-failed');
    expect(
      events.filter((event) => event.type === 'step-ended' && event.phase === 'cleanup'),
    ).toMatchObject([{ outcome: 'error' }]);
    expect(stdout).toContain('could not start "nosuchcmd": command not found');
  });

  it('is a failure if the agent should have written the program', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        absolute: verify('"$PROCTOR_WORKDIR/hello.py"'),
        relative: verify('cd "$PROCTOR_WORKDIR" && ./hello.py'),
        'not-executable': verify('touch "$PROCTOR_WORKDIR/x"; "$PROCTOR_WORKDIR/x"'),
        'by-bash': verify('bash "$PROCTOR_WORKDIR/hello.sh"'),
        broken: verify('cd "$PROCTOR_WORKDIR"; echo nosuchcmd > run.sh; bash run.sh'),
        'broken-too': verify('f=$PROCTOR_WORKDIR/x; echo nosuchcmd > $f; bash $f'),
        'after-others': verify('cd "$PROCTOR_WORKDIR"; nosuchcmd || true; ./hello.py'),
        'of-the-suite': verify('./no-such-helper.sh'),
      },
    });
    const { taskRuns } = await suite.check();
    expect(taskRuns.map(({ task, outcome }) => `${task} ${outcome}`)).toEqual([
      'absolute failed',
      'after-others failed',
      'broken-too failed',
      'broken failed',
      'by-bash failed',
      'not-executable failed',
      'of-the-suite error',
      'relative failed',
    ]);
  });

  it('is an error too where a later command decides the exit code', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        'in-a-pipe': verify('nosuchcmd . | grep -q x'),
        'in-the-output': verify('exec 2>&1; set -o pipefail; nosuchcmd . | grep -q x'),
        'in-words': verify('count=$(nosuchcmd); test "$count" = 1'),
        'in-a-file': verify('cd "$PROCTOR_WORKDIR"; nosuchcmd . > "out"; grep -q 5 out'),
        'and-then-more': verify('cd / && nosuchcmd . | grep -q x && true'),
        // These go on without it, and decide by something else.
        'with-another-way': verify('(nosuchcmd || false)'),
        'with-a-condition': verify('if nosuchcmd | grep x; then true; fi; test -e no-answer'),
        'to-nobody': verify('nosuchcmd . > /dev/null; test -e no-answer'),
        'for-show': verify('nosuchcmd red; test "$(echo 1)" = 2'),
        // Neither is about a program that the script calls.
        'of-others': verify('echo "app: line 3: jq: command not found" >&2; exit 1'),
        'of-the-agent': verify('cd "$PROCTOR_WORKDIR"; ./hello.py | grep -q hello'),
      },
    });
    const { taskRuns } = await suite.check();
    const error = ['error', expect.stringContaining('(could not start "nosuchcmd": command not')];
    const failed = ['failed', expect.stringMatching(/the script exited with code 1$/)];
    const decided = ['failed', expect.stringContaining('(could not start "nosuchcmd": command')];
    expect(taskRuns.map(({ task, outcome, failure }) => [task, outcome, failure?.message])).toEqual(
      [
        ['and-then-more', ...error],
        ['for-show', ...decided],
        ['in-a-file', ...error],
        ['in-a-pipe', ...error],
        ['in-the-output', ...error],
        ['in-words', ...error],
        ['of-others', ...failed],
        ['of-the-agent', ...failed],
        ['to-nobody', ...decided],
        ['with-a-condition', ...decided],
        ['with-another-way', ...decided],
      ],
    );
  });

  it('passes with code 0, and it is said what it missed', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: verify('! nosuchcmd . | grep -q x'), two: verify('nosuchcmd || true') },
    });
    const { exitCode, stdout, events } = await suite.check(['--runs', '2']);
    expect(exitCode).toBe(0);
    const message = (task: string) =>
      `${task}: verify, step 1 (script) passed, but could not start "nosuchcmd": command not found`;
    const warnings = events.filter(({ type }) => type === 'warning');
    expect(warnings).toHaveLength(4);
    expect(warnings[0]).toMatchObject({ code: 'program-missing', message: message('one') });
    expect(stdout).toContain(`warning: ${message('one')} (2 times)`);
    expect(stdout).toContain(`warning: ${message('two')} (2 times)`);
  });

  it('runs in bash or sh whatever the login shell is, but for tasks of older tools', async ({
    makeSuite,
  }) => {
    const task = (apiVersion: string, body: object) =>
      JSON.stringify({ kind: 'Task', apiVersion, metadata: { name: apiVersion }, ...body });
    const prompt = { inline: 'Do it.' };
    const steps = { prompt, verify: { inline: 'test 1 = 1' } };
    const spec = { prompt, verify: [script('test 1 = 1')] };
    const suite = await makeSuite({
      tasks: { 'without-version': { spec }, 'without-version-old': { steps } },
      files: {
        'tasks/1.yaml': task('gevals/v1alpha1', { steps }),
        'tasks/2.yaml': task('mcpchecker/v1alpha2', { spec }),
        'tasks/3.yaml': task('proctor/v1', { spec }),
      },
    });
    const outcomes = async (SHELL: string) => {
      const { taskRuns } = await suite.check(['--force'], { SHELL });
      return taskRuns
        .map(({ task, outcome, failure }) => [task, outcome, failure?.message] as const)
        .sort(([left], [right]) => (left < right ? -1 : 1));
    };
    for (const shell of ['/bin/false', '/usr/sbin/nologin', '/bin/true', '/usr/bin/fish']) {
      const named = expect.stringContaining(`the shell "${shell}" (SHELL) cannot run the script`);
      expect(await outcomes(shell)).toEqual([
        ['gevals/v1alpha1', 'error', named],
        ['mcpchecker/v1alpha2', 'error', named],
        ['proctor/v1', 'passed', undefined],
        ['without-version', 'passed', undefined],
        ['without-version-old', 'error', named],
      ]);
    }
    const missing = expect.stringContaining('could not be started: command not found: /no/zsh');
    expect((await outcomes('/no/zsh'))[0]).toEqual(['gevals/v1alpha1', 'error', missing]);
  });
});
