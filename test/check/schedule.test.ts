import { describe, expect } from 'vitest';
import type { JournalEvent } from '../../src/journal/event.js';
import { it } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

/** Starts and ends of task runs, in order. */
function course(events: readonly JournalEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'task-run-started') return [`${event.task} ${event.run} starts`];
    return event.type === 'task-run-ended' ? [`${event.task} ${event.run} ends`] : [];
  });
}

/** How many task runs were under way at the same time. */
function mostAtOnce(events: readonly JournalEvent[]): number {
  let [now, most] = [0, 0];
  for (const step of course(events)) {
    now += step.endsWith('starts') ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}

/** Two that come here wait for each other. */
const meet = 'if mkdir first; then read -r word < meeting; else echo hello > meeting; fi';
const prepareMeeting = { spec: { setup: [script('mkfifo meeting')] } };

describe.concurrent('task runs', () => {
  it('are sequential first, one at a time and in order, then parallel', async ({ makeSuite }) => {
    const alone = { spec: { setup: [script('mkdir lock')], cleanup: [script('rmdir lock')] } };
    const suite = await makeSuite({
      tasks: {
        a: { ...alone, parallel: true },
        b: { ...alone, runs: 2 },
        c: { ...alone },
        d: { ...alone },
      },
    });
    const { exitCode, events } = await suite.check();
    expect(exitCode).toBe(0);
    const inOrder = ['b 1', 'b 2', 'c 1', 'd 1', 'a 1'];
    expect(course(events)).toEqual(inOrder.flatMap((name) => [`${name} starts`, `${name} ends`]));
  });

  it('of parallel tasks meet, but never more than --parallel at once', async ({ makeSuite }) => {
    const spec = { setup: [script(meet)], cleanup: [script('rmdir first 2>/dev/null; true')] };
    const suite = await makeSuite({
      tasks: {
        prepare: prepareMeeting,
        a: { parallel: true, spec },
        b: { parallel: true, spec },
        c: { parallel: true },
        d: { parallel: true },
        e: { parallel: true },
      },
    });
    const { exitCode, events } = await suite.check(['-p', '2', '--task-timeout', '30s']);
    expect(exitCode).toBe(0);
    expect(mostAtOnce(events)).toBe(2);
    expect(course(events).slice(0, 2)).toEqual(['prepare 1 starts', 'prepare 1 ends']);
  });

  it('of one parallel task meet too', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        prepare: prepareMeeting,
        a: { parallel: true, runs: 2, spec: { setup: [script(meet)] } },
      },
    });
    const { exitCode, events } = await suite.check(['--task-timeout', '30s']);
    expect(exitCode).toBe(0);
    expect(mostAtOnce(events)).toBe(2);
  });

  it('of parallel tasks are one at a time with --parallel 1', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: { parallel: true, runs: 3 }, b: { parallel: true, runs: 2 } },
    });
    const { exitCode, events } = await suite.check(['-p', '1']);
    expect(exitCode).toBe(0);
    expect(mostAtOnce(events)).toBe(1);
    expect(course(events)).toHaveLength(10);
  });

  it('end with --bail after the first that does not pass, or after as many as it says', async ({
    makeSuite,
  }) => {
    const failing = { spec: { verify: [script('false')] } };
    const suite = await makeSuite({
      tasks: { a: {}, b: failing, c: { spec: { setup: [script('false')] } }, d: {}, e: {} },
    });
    const one = await suite.check(['--bail']);
    expect(one.exitCode, one.stderr).toBe(1);
    expect(one.taskRuns.map(({ task }) => task)).toEqual(['a', 'b']);
    expect(one.results).toMatchObject({
      bailed: true,
      interrupted: false,
      totals: { planned: 5, notRun: 3, outcomes: { passed: 1, failed: 1 } },
    });
    expect(one.events.at(-1)).toMatchObject({ type: 'run-ended', bailed: true });
    expect(one.stdout).toContain('Stopped early by --bail');
    const two = await suite.check(['--bail=2']);
    expect(two.taskRuns.map(({ task }) => task)).toEqual(['a', 'b', 'c']);
    const enough = await suite.check(['--bail=3']);
    expect(enough.exitCode).toBe(1);
    expect(enough.taskRuns).toHaveLength(5);
    expect(enough.results).toMatchObject({ bailed: false });
  });

  it('are cancelled by Ctrl-C, with their cleanup, and what was done is kept', async ({
    makeSuite,
  }) => {
    // Its parent is Proctor.
    const interrupt = script('kill -INT $PPID; sleep 1000');
    const suite = await makeSuite({
      tasks: {
        a: {},
        b: { spec: { setup: [interrupt], cleanup: [script('echo clean > cleaned')] } },
        c: {},
      },
    });
    const { exitCode, taskRuns, results, events, stdout } = await suite.check();
    expect(exitCode).toBe(130);
    expect(taskRuns).toMatchObject([
      { task: 'a', outcome: 'passed' },
      { task: 'b', outcome: 'cancelled', failure: { category: 'cancelled' } },
    ]);
    expect(await suite.read('tasks/cleaned')).toBe('clean\n');
    expect(results).toMatchObject({ interrupted: true, totals: { planned: 3 } });
    expect(events.at(-1)).toMatchObject({ type: 'run-ended', interrupted: true });
    expect(stdout).toContain('--resume continues');
    expect(await suite.leftovers()).toEqual([]);
  });
});
