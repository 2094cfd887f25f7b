import { readdir } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { callTelling, command, script, scripted } from '../support/suite-parts.js';
import { story } from '../support/task-run-story.js';

describe.concurrent('the life of a task run', () => {
  it('is setup, agent, verify, assertions and cleanup, in this order', async ({ makeSuite }) => {
    const task = {
      setup: [script('true'), script('true')],
      verify: [script('true')],
      cleanup: [script('true')],
      assertions: { minToolCalls: 1 },
    };
    const suite = await makeSuite({
      tasks: { one: { spec: task } },
      agent: scripted(callTelling('pid'), { say: 'done' }),
      assertions: { toolsUsed: [{ server: 'telling', tool: 'pid' }] },
    });
    const { exitCode, events, taskRuns, stderr } = await suite.check();
    expect(exitCode, stderr).toBe(0);
    expect(story(events, 'one')).toEqual([
      'setup starts',
      'setup step 1 passed',
      'setup step 2 passed',
      'setup passed',
      'agent starts',
      'call of pid',
      'agent passed',
      'verify starts',
      'verify step 1 passed',
      'verify passed',
      'toolsUsed holds',
      'minToolCalls holds',
      'cleanup starts',
      'cleanup step 1 passed',
      'cleanup passed',
      'ends passed',
    ]);
    expect(taskRuns).toMatchObject([
      { outcome: 'passed', failure: null, verified: true, assertionsHeld: true, output: 'done' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run-ended' });
    expect(await suite.leftovers()).toEqual([]);
  });

  it('is the same for tasks of the older shape, inline or in files', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        inline: {
          steps: {
            setup: { inline: 'echo setup >> inline.log' },
            verify: { inline: 'echo verify >> inline.log' },
            cleanup: { inline: 'echo cleanup >> inline.log' },
          },
        },
        files: {
          steps: {
            setup: { file: 'scripts/setup.sh' },
            prompt: { file: 'prompt.md' },
            verify: { file: 'scripts/verify.sh' },
            cleanup: { file: 'scripts/cleanup.sh' },
          },
        },
      },
      files: {
        'tasks/prompt.md': 'Read from a file.\n',
        'tasks/scripts/setup.sh': 'echo setup >> files.log',
        'tasks/scripts/verify.sh': 'echo verify >> files.log',
        'tasks/scripts/cleanup.sh': 'echo cleanup >> files.log',
      },
      agent: command('echo "answer: {{ .Prompt }}"'),
    });
    const { exitCode, taskRuns } = await suite.check();
    expect(exitCode).toBe(0);
    expect(await suite.read('tasks/inline.log')).toBe('setup\nverify\ncleanup\n');
    expect(await suite.read('tasks/scripts/files.log')).toBe('setup\nverify\ncleanup\n');
    expect(taskRuns.map(({ output }) => output)).toEqual([
      'answer: Read from a file.\n\n',
      'answer: Do inline.\n',
    ]);
  });

  it('stops at the first step of setup that fails, and cleans up all the same', async ({
    makeSuite,
  }) => {
    const setup = [script('true'), script('echo broken >&2; exit 3'), script('touch never')];
    const suite = await makeSuite({
      tasks: { one: { spec: { setup, cleanup: [script('true')] } } },
      assertions: { maxToolCalls: 5 },
    });
    const { exitCode, events, taskRuns, stdout } = await suite.check();
    expect(exitCode).toBe(1);
    expect(story(events, 'one')).toEqual([
      'setup starts',
      'setup step 1 passed',
      'setup step 2 failed',
      'setup failed',
      'cleanup starts',
      'cleanup step 1 passed',
      'cleanup passed',
      'ends error',
    ]);
    const message = 'setup, step 2 (script): the script exited with code 3';
    const failed = events.find((event) => event.type === 'step-ended' && !event.passed);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: { category: 'setup-failed', message, evidence: failed?.seq },
        verified: null,
        assertionsHeld: null,
        prompt: null,
        phases: { agent: null, verify: null, setup: { outcome: 'failed' } },
      },
    ]);
    expect(stdout).toContain('setup-failed');
    expect(stdout).toContain('broken');
  });

  it('goes on after a step of setup that may fail', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        beside: { spec: { setup: [script('exit 1', { continueOnError: true }), script('true')] } },
        within: { spec: { setup: [{ script: { inline: 'exit 1', continueOnError: true } }] } },
      },
    });
    const { exitCode, events, taskRuns } = await suite.check();
    expect(exitCode).toBe(0);
    expect(story(events, 'beside').slice(0, 5)).toEqual([
      'setup starts',
      'setup step 1 failed',
      'setup step 2 passed',
      'setup passed',
      'agent starts',
    ]);
    expect(taskRuns.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  });

  it('runs every step of verify, and a step that may fail fails it all the same', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: {
        plain: { spec: { verify: [script('exit 1'), script('true'), script('exit 2')] } },
        forgiving: { spec: { verify: [script('exit 1', { continueOnError: true })] } },
      },
      assertions: { maxToolCalls: 0 },
    });
    const { exitCode, events, taskRuns } = await suite.check();
    expect(exitCode).toBe(1);
    expect(story(events, 'plain').slice(2)).toEqual([
      'verify starts',
      'verify step 1 failed',
      'verify step 2 passed',
      'verify step 3 failed',
      'verify failed',
      'maxToolCalls holds',
      'ends failed',
    ]);
    for (const taskRun of taskRuns) {
      const message = 'verify, step 1 (script): the script exited with code 1';
      const failure = { category: 'verification-failed', message };
      const judged = { outcome: 'failed', verified: false, assertionsHeld: true, failure };
      expect(taskRun).toMatchObject(judged);
    }
  });

  it('fails for an assertion although verification passed, and tells both apart', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: scripted(callTelling('pid')),
      assertions: { maxToolCalls: 0 },
    });
    const { exitCode, taskRuns } = await suite.check();
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'failed',
        verified: true,
        assertionsHeld: false,
        failure: { category: 'assertion-failed' },
        assertions: [{ name: 'maxToolCalls', passed: false, at: { file: 'eval.yaml' } }],
      },
    ]);
  });

  it('cleans up with every step, whatever fails, and the verdict stands', async ({ makeSuite }) => {
    const cleanup = [script('echo no >&2; exit 1'), script('true'), script('exit 2')];
    const suite = await makeSuite({ tasks: { one: { spec: { cleanup } } } });
    const { exitCode, events, taskRuns, stdout } = await suite.check();
    expect(exitCode).toBe(0);
    expect(story(events, 'one').slice(5)).toEqual([
      'cleanup starts',
      'cleanup step 1 failed',
      'cleanup step 2 passed',
      'cleanup step 3 failed',
      'cleanup failed',
      'ends passed',
    ]);
    expect(taskRuns).toMatchObject([{ outcome: 'passed', cleanupFailed: true }]);
    expect(stdout).toContain('cleanup step 1 (script, tasks/one.yaml:');
  });

  it('ends in an error when the agent does, and what it said is kept', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { cleanup: [script('true')] } } },
      agent: command('echo half an answer; echo no key >&2; exit 7'),
      assertions: { maxToolCalls: 5 },
    });
    const { exitCode, events, taskRuns } = await suite.check();
    expect(exitCode).toBe(1);
    expect(story(events, 'one')).toEqual([
      'agent starts',
      'agent error',
      'cleanup starts',
      'cleanup step 1 passed',
      'cleanup passed',
      'ends error',
    ]);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: { category: 'agent-failed', message: expect.stringContaining('code 7') },
        output: 'half an answer\n',
        verified: null,
        assertionsHeld: null,
        phases: { agent: { details: expect.stringContaining('no key') } },
      },
    ]);
  });

  it('is an error when a step of verify cannot be judged, but failed beside one that failed', async ({
    makeSuite,
  }) => {
    const missing = { script: { file: '{task.name}.sh' } };
    const suite = await makeSuite({
      tasks: {
        error: { spec: { verify: [missing] } },
        failed: { spec: { verify: [missing, script('exit 1')] } },
      },
    });
    const { exitCode, taskRuns } = await suite.check();
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      {
        task: 'error',
        outcome: 'error',
        failure: { category: 'step-error', message: expect.stringContaining('error.sh') },
      },
      {
        task: 'failed',
        outcome: 'failed',
        failure: { category: 'verification-failed', message: expect.stringContaining('step 2') },
      },
    ]);
  });

  it('has room for any name', async ({ makeSuite }) => {
    const name = '../../x\u001b[31m #2 🙂 $(touch pwned)';
    const suite = await makeSuite({
      tasks: { long: {} },
      files: {
        'tasks/odd.yaml': JSON.stringify({
          kind: 'Task',
          metadata: { name },
          spec: {
            prompt: { inline: 'Do it.' },
            verify: [
              {
                script: {
                  inline: '[ "$PROCTOR_TASK_NAME" = "$NAME" ]',
                  env: { NAME: '{task.name}' },
                },
              },
            ],
          },
        }),
        'tasks/long.yaml': JSON.stringify({
          kind: 'Task',
          metadata: { name: 'x'.repeat(3_000) },
          steps: { prompt: { inline: 'Do it.' }, verify: { inline: 'true' } },
        }),
      },
    });
    const { exitCode, taskRuns, stdout, stderr } = await suite.check(['--keep-workdir', 'always']);
    expect(exitCode, stderr).toBe(0);
    expect(taskRuns.map(({ task }) => task)).toEqual(['x'.repeat(3_000), name]);
    for (const { workdir } of taskRuns) {
      expect(workdir?.startsWith(`${suite.temporaryFolder}/`)).toBe(true);
    }
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
    expect(await readdir(suite.path('tasks'))).toEqual(['long.yaml', 'odd.yaml']);
  });
});
