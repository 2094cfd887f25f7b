import { describe, expect } from 'vitest';
import { getStartTime } from '../../src/base/processes/process-identity.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, command, script, scripted } from '../support/suite-parts.js';
import { story } from '../support/task-run-story.js';

/** Says who it is, and waits for ever with somebody else. */
const hang = (name: string) => `sleep 1000 & echo $$ $! > "$PIDS/${name}.pid"; wait`;

async function isAlive(suite: ScratchSuite, name: string): Promise<boolean> {
  const pids = (await suite.read(`${name}.pid`)).trim().split(' ').map(Number);
  expect(pids).toHaveLength(2);
  return pids.some((pid) => getStartTime(pid) !== undefined);
}

describe.concurrent('a time limit', () => {
  it('of a task covers setup, agent and verify, and nothing of them lives on', async ({
    makeSuite,
  }) => {
    const cleanup = [script('true')];
    const limited = (timeout: string, more: object) => ({
      parallel: true,
      spec: { limits: { timeout }, cleanup, ...more },
    });
    const suite = await makeSuite({
      tasks: {
        setup: limited('1s', { setup: [script(hang('setup')), script('touch never')] }),
        agent: limited('2s', { setup: [script('true')] }),
        verify: limited('3s', { verify: [script(hang('verify')), script('touch never')] }),
      },
      agent: command(`case "{{ .Prompt }}" in *agent*) ${hang('agent')};; esac`),
      assertions: { maxToolCalls: 5 },
    });
    const { exitCode, events, taskRuns } = await suite.check([], { PIDS: suite.folder });
    expect(exitCode).toBe(1);
    const cleaned = ['cleanup starts', 'cleanup step 1 passed', 'cleanup passed', 'ends timeout'];
    expect(story(events, 'setup')).toEqual([
      'setup starts',
      'setup step 1 timeout',
      'setup timeout',
      ...cleaned,
    ]);
    expect(story(events, 'agent')).toEqual([
      'setup starts',
      'setup step 1 passed',
      'setup passed',
      'agent starts',
      'agent timeout',
      ...cleaned,
    ]);
    expect(story(events, 'verify')).toEqual([
      'agent starts',
      'agent passed',
      'verify starts',
      'verify step 1 timeout',
      'verify timeout',
      ...cleaned,
    ]);
    const seconds = { setup: 1, agent: 2, verify: 3 };
    for (const [phase, limit] of Object.entries(seconds)) {
      const taskRun = taskRuns.find(({ task }) => task === phase);
      const ended = events.find(
        (event) =>
          event.type === 'phase-ended' && event.phase === phase && event.taskRun === `${phase}#1`,
      );
      expect(taskRun).toMatchObject({
        outcome: 'timeout',
        failure: {
          category: 'timeout',
          message: `the limit of ${limit} s was reached in the phase ${phase}`,
          evidence: ended?.seq,
        },
        assertionsHeld: null,
      });
      expect(await isAlive(suite, phase)).toBe(false);
    }
  });

  it('of a task ends the wait for an answer, and the call is recorded', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { limits: { timeout: '3s' } } } },
      agent: scripted(callTelling('pid'), callTelling('never'), { say: 'never said' }),
    });
    const { exitCode, taskRuns } = await suite.check();
    expect(exitCode).toBe(1);
    const [taskRun] = taskRuns;
    expect(taskRun).toMatchObject({ outcome: 'timeout', verified: null });
    expect(taskRun?.calls).toMatchObject([{ name: 'pid', isError: false }, { name: 'never' }]);
    // The agent may come to call it off.
    expect(taskRun?.calls[1]?.cancelled ?? taskRun?.calls[1]?.unfinished).toBe(true);
  });

  it('of a step fails the step, and verify goes on', async ({ makeSuite }) => {
    const stubborn = `trap '' TERM; ${hang('setup')}; wait`;
    const suite = await makeSuite({
      tasks: {
        setup: {
          parallel: true,
          spec: { setup: [script(stubborn, { timeout: '1s' }), script('touch never')] },
        },
        verify: {
          parallel: true,
          spec: {
            verify: [
              { script: { inline: hang('verify'), timeout: '1s' } },
              script('echo there', { timeout: '1m' }),
            ],
          },
        },
      },
    });
    const { exitCode, events, taskRuns } = await suite.check([], { PIDS: suite.folder });
    expect(exitCode).toBe(1);
    expect(story(events, 'verify').slice(2)).toEqual([
      'verify starts',
      'verify step 1 timeout',
      'verify step 2 passed',
      'verify failed',
      'ends failed',
    ]);
    const outcomes = new Map(taskRuns.map((taskRun) => [taskRun.task, taskRun]));
    const because = 'the step took longer than its limit of 1 s';
    expect(outcomes.get('setup')).toMatchObject({
      outcome: 'error',
      failure: { category: 'setup-failed', message: `setup, step 1 (script): ${because}` },
    });
    expect(outcomes.get('verify')).toMatchObject({
      outcome: 'failed',
      failure: { category: 'verification-failed', message: `verify, step 1 (script): ${because}` },
    });
    for (const name of ['setup', 'verify']) expect(await isAlive(suite, name)).toBe(false);
  });

  it('of cleanup stops cleanup, whatever time the task has used', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            limits: { cleanupTimeout: '1s' },
            cleanup: [script(hang('cleanup')), script('touch never')],
          },
        },
      },
    });
    const { exitCode, events, taskRuns } = await suite.check([], { PIDS: suite.folder });
    expect(exitCode).toBe(0);
    expect(story(events, 'one').slice(-4)).toEqual([
      'cleanup starts',
      'cleanup step 1 timeout',
      'cleanup timeout',
      'ends passed',
    ]);
    expect(taskRuns).toMatchObject([{ outcome: 'passed', cleanupFailed: true }]);
    expect(await isAlive(suite, 'cleanup')).toBe(false);
  });

  it('is that of the option, the task, the default option or the eval, in this order', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: {
        own: { spec: { limits: { timeout: '13m', cleanupTimeout: '14m' } } },
        plain: {},
      },
      config: { defaultTaskLimits: { timeout: '11m', cleanupTimeout: '12m' } },
    });
    const limits = async (...args: string[]) => {
      const { events } = await suite.check(args);
      return events.flatMap((event) => {
        if (event.type !== 'task-run-started') return [];
        const { task, timeoutMs = 0, cleanupTimeoutMs = 0 } = event;
        return [`${task} ${timeoutMs / 60_000} ${cleanupTimeoutMs / 60_000}`];
      });
    };
    expect(await limits()).toEqual(['own 13 14', 'plain 11 12']);
    const defaults = ['--default-task-timeout', '21m', '--default-cleanup-timeout', '22m'];
    expect(await limits(...defaults)).toEqual(['own 13 14', 'plain 21 22']);
    const overrides = ['--task-timeout', '31m', '--cleanup-timeout', '32m'];
    expect(await limits(...defaults, ...overrides)).toEqual(['own 31 32', 'plain 31 32']);
  });

  it('of the command line wins where it counts', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            limits: { timeout: '1h', cleanupTimeout: '1h' },
            setup: [script(hang('setup'))],
            cleanup: [script(hang('cleanup'))],
          },
        },
      },
    });
    const { events } = await suite.check(
      ['--task-timeout', '500ms', '--cleanup-timeout', '400ms'],
      { PIDS: suite.folder },
    );
    expect(story(events, 'one')).toEqual([
      'setup starts',
      'setup step 1 timeout',
      'setup timeout',
      'cleanup starts',
      'cleanup step 1 timeout',
      'cleanup timeout',
      'ends timeout',
    ]);
  });
});
