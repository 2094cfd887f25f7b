import { describe, expect } from 'vitest';
import type { JournalEvent } from '../../src/journal/event.js';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { it } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

/** How often it ran before, in a file beside the task. */
const count = 'n=$(cat N 2>/dev/null || echo 0); echo $((n + 1)) > N';
const passing = {};
const failing = { spec: { verify: [script('false')] } };
const everyOther = {
  spec: { verify: [script(`${count.replaceAll('N', 'every-other')}; test $((n % 2)) = 0`)] },
};
/** Its first run cannot be judged. */
const shaky = { spec: { setup: [script(`${count.replaceAll('N', 'shaky')}; test $n != 0`)] } };

function runsOf(taskRuns: readonly TaskRunResult[], name: string) {
  const runs = taskRuns.filter(({ task }) => task === name).sort((a, b) => a.run - b.run);
  return { count: runs.length, numbers: runs.map(({ run }) => run), of: runs.map((r) => r.runs) };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function settledOf(events: readonly JournalEvent[]): Record<string, object> {
  const decided = events.flatMap((event) =>
    event.type === 'runs-decided' && event.settled ? [event] : [],
  );
  return Object.fromEntries(
    decided.map(({ task, runs, passed, judged, settled }) => [
      task,
      { runs, passed, judged, settled },
    ]),
  );
}

describe.concurrent('with --runs auto', () => {
  it('tasks run until their pass rate is known well enough, or most often', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: {
        always: { ...passing, parallel: true },
        never: { ...failing, parallel: true },
        sometimes: everyOther,
        shaky,
      },
    });
    const { exitCode, results, taskRuns, events, stdout, stderr } = await suite.check([
      ...['--runs', 'auto', '--runs-max', '12', '-p', '8'],
    ]);
    expect(exitCode, stderr).toBe(1);
    expect(settledOf(events)).toEqual({
      always: { runs: 6, passed: 6, judged: 6, settled: 'width' },
      never: { runs: 6, passed: 0, judged: 6, settled: 'width' },
      sometimes: { runs: 12, passed: 6, judged: 12, settled: 'max' },
      shaky: { runs: 7, passed: 6, judged: 6, settled: 'width' },
    });
    for (const [task, runs] of Object.entries({ always: 6, never: 6, sometimes: 12, shaky: 7 })) {
      expect(runsOf(taskRuns, task), task).toEqual({
        count: runs,
        numbers: upTo(runs),
        of: upTo(runs).map(() => runs),
      });
    }
    expect(results).toMatchObject({
      options: { runs: 'auto', 'runs-width': 0.4, 'runs-max': 12 },
      totals: { planned: 31, notRun: 0, outcomes: { error: 1 } },
    });
    expect(stdout).toContain(
      'runs       auto: 4 of 4 tasks settled, 1 of them by the maximum number of runs',
    );
    expect(stderr).toContain('always ran often enough: 6 of 6 passed, which is 61.0% to 100%\n');
    expect(stderr).toContain(
      'sometimes has had the maximum number of runs: 6 of 12 passed, which is',
    );
    const summary = await suite.proctor(['summary', 'out.json']);
    expect(summary.stdout).not.toContain('unfinished');
  });

  it('a check passes if every run that was needed did', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {}, b: { parallel: true } } });
    const { exitCode, events } = await suite.check(['-n', 'auto', '--runs-width', '0.9']);
    expect(exitCode).toBe(0);
    expect(settledOf(events)).toMatchObject({ a: { runs: 3 }, b: { runs: 3 } });
    const order = events.flatMap((event) =>
      event.type === 'task-run-started' ? [`${event.task} ${event.run}`] : [],
    );
    expect(order.slice(0, 3)).toEqual(['a 1', 'a 2', 'a 3']);
  });

  it('an interrupted check comes to the same decisions when it is resumed', async ({
    makeSuite,
  }) => {
    // Its parent is Proctor.
    const interrupt = 'test $n = 3 && { kill -INT $PPID; sleep 1000; }';
    const counted = count.replaceAll('N', 'interrupted');
    const spec = {
      setup: [script(`${counted}; ${interrupt}; true`)],
      verify: [script('test "$(cat interrupted)" != 2')],
    };
    const suite = await makeSuite({ tasks: { a: { spec }, b: {} } });
    const first = await suite.check(['--runs', 'auto']);
    expect(first.exitCode).toBe(130);
    expect(first.results).toMatchObject({ totals: { planned: 16 } });

    const { exitCode, taskRuns, results, events, stderr } = await suite.check([
      ...['--runs', 'auto', '--resume'],
    ]);

    expect(exitCode, stderr).toBe(1);
    expect(stderr).toContain('resuming: 13 of 16 task runs left');
    // One failure of the first three: as many as if nobody had interrupted it.
    expect(runsOf(taskRuns, 'a').numbers).toEqual(upTo(10));
    expect(runsOf(taskRuns, 'b').numbers).toEqual(upTo(6));
    expect(results).toMatchObject({ totals: { planned: 16, notRun: 0 } });
    expect(settledOf(events)).toMatchObject({
      a: { runs: 10, passed: 9, judged: 10, settled: 'width' },
      b: { runs: 6, settled: 'width' },
    });
  });

  it('what a budget leaves out is what is known to be needed', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {}, b: {} } });
    const { exitCode, results } = await suite.check(['-n', 'auto', '--max-duration', '1ms']);
    expect(exitCode).toBe(1);
    expect(results).toMatchObject({
      budget: { kind: 'duration' },
      totals: { planned: 12, notRun: 12 },
    });
    const rest = await suite.check(['-n', 'auto', '--resume']);
    expect(rest.exitCode).toBe(0);
    expect(rest.results).toMatchObject({ totals: { planned: 12, notRun: 0 } });
  });

  it('another rule is another plan', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {} } });
    await suite.check(['-n', 'auto', '--max-duration', '1ms']);
    const { exitCode, stderr } = await suite.check(['-n', 'auto', '--runs-max', '9', '--resume']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('changed since the unfinished run: --runs-max');
  });

  it('a shard has all runs of its tasks', async ({ makeSuite }) => {
    const parallel = { parallel: true };
    const suite = await makeSuite({ tasks: { a: parallel, b: parallel, c: parallel } });
    const args = ['-n', 'auto', '--runs-width', '0.9'];
    const one = await suite.check([...args, '--shard', '1/2']);
    const two = await suite.check([...args, '--shard', '2/2']);
    const tasksOf = (taskRuns: readonly TaskRunResult[]) => new Set(taskRuns.map((r) => r.task));
    expect(tasksOf(one.taskRuns)).toEqual(new Set(['a', 'c']));
    expect(tasksOf(two.taskRuns)).toEqual(new Set(['b']));
    expect([one.taskRuns.length, two.taskRuns.length]).toEqual([6, 3]);
  });

  it('what failed can be run again, as the report says', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: failing } });
    const { stdout } = await suite.check(['-n', 'auto', '--runs-width', '0.9']);
    const command = 'proctor check eval.yaml --runs 20 --rerun-failed out.json';
    expect(stdout).toContain(`Re-run failures:\n  ${command}\n`);
    const { stderr } = await suite.proctor(command.split(' ').slice(1));
    expect(stderr).toContain('[3/3] failed a (run 3 of 20)');
    const auto = await suite.check(['-n', 'auto', '--rerun-failed', 'out.json']);
    expect(auto.exitCode).toBe(2);
    expect(auto.stderr).toContain('--runs auto and --rerun-failed do not go together');
    expect(auto.stderr).toContain('--runs 20');
  });

  it('proctor list shows from where to where', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: {}, b: { runs: 5 } } });
    const text = await suite.proctor(['list', 'eval.yaml', '--runs', 'auto']);
    expect(text.stdout).toContain('2 tasks, 6 to 40 task runs');
    expect(text.stdout).toMatch(/^b +3 to 20 /m);
    expect(text.stdout).toContain('runs from --runs auto');
    const json = await suite.proctor([
      'list',
      'eval.yaml',
      '-n',
      'auto',
      '--runs-max',
      '9',
      '-o',
      'json',
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      totals: { taskRuns: 6, taskRunsUpTo: 18 },
      tasks: [{ runs: 3, runsUpTo: 9, runsFrom: { option: '--runs auto' } }, { runs: 3 }],
    });
  });
});
