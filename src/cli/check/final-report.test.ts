import { describe, expect, it } from 'vitest';
import {
  mcpCall,
  numbered,
  taskRunEnded,
  taskRunFailed,
  taskRunStarted,
} from '../../../test/support/check-events.js';
import type { EventBody, StepEnded } from '../../events/event.js';
import { RawJson } from '../../events/raw-json.js';
import { type CheckEnd, finalReport, type ReportContext } from './final-report.js';
import type { TaskSummary } from './plan-summary.js';
import { ProgressState } from './progress-state.js';

const end: CheckEnd = {
  resultsPath: 'out.json',
  journalPath: 'out.jsonl',
  exitReason: 'finished',
};

const task = (name: string, over: Partial<TaskSummary> = {}): TaskSummary => ({
  name,
  runs: 1,
  labels: {},
  parallel: false,
  ...over,
});

function report(
  tasks: TaskSummary[],
  bodies: EventBody[],
  how: Partial<CheckEnd> & Partial<ReportContext> = {},
): string[] {
  const taskRuns = tasks.reduce((sum, { runs }) => sum + runs, 0);
  const plan = { tasks, taskRuns, parallel: 1 };
  const redact = (text: string) => text;
  const state = new ProgressState(plan, redact, () => 0);
  for (const event of numbered(bodies)) state.apply(event);
  const style = (_format: unknown, text: string) => text;
  const context = {
    state,
    repeat: ['proctor', 'check', 'eval.yaml'],
    control: false,
    elapsedMs: 61_000,
    style,
  };
  return finalReport({ ...end, ...how }, { ...context, ...how }).split('\n');
}

function stepFailed(taskRun: string, over: Partial<StepEnded> = {}): EventBody {
  return {
    type: 'step-ended',
    taskRun,
    phase: 'verify',
    step: 1,
    kind: 'script',
    source: { file: 'task.yaml', line: 7 },
    passed: false,
    outcome: 'failed',
    message: 'exited with 1',
    outputs: {},
    durationMs: 5,
    ...over,
  };
}

describe('finalReport', () => {
  it('is short when everything passed', () => {
    expect(report([task('a')], [taskRunEnded('a')])).toEqual([
      'Totals',
      '  task runs  1: 1 passed',
      '  tasks      1 of 1 passed in every run',
      '  time       1 m 1 s; a task run 1.5 s (median), at most 1.5 s',
      '  calls      2, 0 errors, 40 tokens of arguments and results',
      '',
      'Results: out.json',
      'Journal: out.jsonl',
      '',
    ]);
  });

  it('tells a failure in full', () => {
    const stdout = Array.from({ length: 22 }, (_, index) => `line ${index + 1}`).join('\n');
    const lines = report(
      [task('a')],
      [
        taskRunStarted('a'),
        mcpCall('a', { call: 1, args: new RawJson('{"x": 1}') }),
        mcpCall('a', {
          call: 2,
          name: 'shut',
          isError: true,
          error: new RawJson('{"message":"no"}'),
        }),
        stepFailed('a#1', { id: 'look', outputs: { stdout, stderr: '\u001b[31mbad' } }),
        {
          type: 'assertion-checked',
          taskRun: 'a#1',
          name: 'toolsUsed',
          passed: false,
          reason: 'memory.list was not called',
          details: ['memory.list'],
          source: { file: 'eval.yaml', line: 9 },
          calls: [1, 2],
        },
        taskRunFailed('a', { output: 'All\ndone' }),
      ],
      { repeat: ['proctor', 'check', "it's.yaml"] },
    );
    const quoted = Array.from({ length: 20 }, (_, index) => `      | line ${index + 3}`);
    expect(lines.slice(0, lines.indexOf('Totals'))).toEqual([
      '1 task run did not pass',
      '',
      'a  failed  1.5 s',
      '  verification-failed: exited with 1',
      '  verify step 1 (script look) failed  task.yaml:7',
      '    stdout, the last 20 of 22 lines; all of it is in out.jsonl:4:',
      ...quoted,
      '    stderr:',
      '      | ␛[31mbad',
      '  assertion toolsUsed does not hold  eval.yaml:9',
      '    memory.list was not called',
      '    - memory.list',
      '    see calls 1, 2',
      '  calls:',
      '    1  ok     memory.open  {"x": 1}  12 ms',
      '    2  error  memory.shut    no  12 ms',
      "  the agent's answer:",
      '    | All',
      '    | done',
      '  evidence: out.jsonl:3',
      '',
    ]);
    expect(lines.at(-2)).toBe(
      String.raw`To run what did not pass again: proctor check 'it'\''s.yaml' --rerun-failed out.json`,
    );
  });

  it('shows the end of the log of an agent that failed', () => {
    const failure = { category: 'agent-failed', message: 'exited with 3', evidence: 2 } as const;
    const ended = taskRunEnded('a', { outcome: 'error', failure });
    const log: EventBody = { type: 'agent-output', taskRun: 'a#1', kind: 'log', text: 'no key\n' };
    expect(report([task('a')], [taskRunStarted('a'), log, ended])).toContain('    | no key');
    const details: EventBody = {
      type: 'phase-ended',
      taskRun: 'a#1',
      phase: 'agent',
      outcome: 'error',
      durationMs: 1,
      details: 'see the manual',
    };
    const lines = report([task('a')], [taskRunStarted('a'), log, details, ended]);
    expect(lines).toContain('    | see the manual');
    expect(lines).not.toContain('    | no key');
  });

  it('adds up by difficulty and label, and says what agents reported', () => {
    const usage = { inputTokens: 12_000, outputTokens: 500 };
    const lines = report(
      [
        task('h', { difficulty: 'hard', labels: { area: 'net' } }),
        task('e', { difficulty: 'easy', labels: { area: 'net' }, runs: 2 }),
      ],
      [taskRunFailed('h'), taskRunEnded('e', { usage, cost: 0.5, judge: { usage, cost: 0.25 } })],
    );
    expect(lines.slice(lines.indexOf('Totals') + 1)).toEqual([
      '  task runs        3: 1 passed, 1 failed, 1 not done',
      '  tasks            0 of 2 passed in every run',
      '  difficulty easy  1 of 1 passed',
      '  difficulty hard  0 of 1 passed',
      '  label area=net   1 of 2 passed',
      '  time             1 m 1 s; a task run 1.5 s (median), at most 1.5 s',
      '  calls            4, 0 errors, 80 tokens of arguments and results',
      '  model tokens     12.0k in, 500 out (reported by 1 of 2 task runs)',
      '  cost             $0.50 (reported by 1 of 2 task runs)',
      '  judge            12.0k tokens in, 500 out, $0.25',
      '',
      'Results: out.json',
      'Journal: out.jsonl',
      'To run what did not pass again: proctor check eval.yaml --rerun-failed out.json',
      '',
    ]);
  });

  it('tells what is worth a look although it decided nothing', () => {
    const lines = report(
      [task('a', { runs: 2 })],
      [
        taskRunStarted('a', 1, 2),
        stepFailed('a#1', { phase: 'cleanup', message: 'still there' }),
        taskRunEnded('a', {
          cleanupFailed: true,
          workdir: '/tmp/kept',
          permissionDenials: [{ tool: 'Bash' }, { tool: 'Bash' }],
        }),
        taskRunFailed('a', { run: 2 }),
        { type: 'warning', code: 'stream-cut', server: 'memory', message: 'cut off' },
        { type: 'warning', code: 'stream-cut', server: 'memory', message: 'cut off' },
      ],
    );
    const start = lines.indexOf('Worth a look');
    expect(lines.slice(start + 1, lines.indexOf('Totals') - 1)).toEqual([
      '  flaky: a passed 1 of 2 runs',
      '  the agent was not allowed to use Bash, in 1 task run',
      '  a (run 1 of 2): cleanup step 1 (script, task.yaml:7) did not pass: still there',
      '  warning: memory: cut off (2 times)',
      '  a (run 1 of 2): the working directory is in /tmp/kept',
    ]);
  });

  it.each([
    ['interrupted', 'Interrupted; the same command with --resume goes on'],
    ['broken', 'Not finished; the same command with --resume goes on'],
    ['bailed', 'Stopped early by --bail'],
  ] as const)('says how to go on after %s', (exitReason, line) => {
    const lines = report([task('a'), task('b')], [taskRunFailed('a')], { exitReason });
    expect(lines).toContain(line);
  });

  it('lists failures in short when there are more than anybody reads', () => {
    const runs = Array.from({ length: 101 }, (_, index) => index + 1);
    const lines = report(
      [task('a', { runs: 101 })],
      runs.flatMap((run) => [taskRunStarted('a', run, 101), taskRunFailed('a', { run })]),
    );
    expect(lines).toContain('1 more, in full in out.json:');
    expect(lines).toContain('  a (run 101 of 101)  verification-failed: exited with 1');
  });
});

describe('the report of a run without an agent', () => {
  it('says when every task noticed', () => {
    const lines = report([task('a')], [taskRunFailed('a')], { control: true });
    expect(lines).toEqual([
      'Every task noticed the missing agent (1 task).',
      '',
      'Results: out.json',
      'Journal: out.jsonl',
      '',
    ]);
  });

  it('names tasks that check nothing, and those that could not be judged', () => {
    const failure = { category: 'setup-failed', message: 'no disk', evidence: 1 } as const;
    const lines = report(
      [task('good'), task('vacuous'), task('broken'), task('left')],
      [
        taskRunFailed('good'),
        taskRunEnded('vacuous'),
        taskRunEnded('broken', { outcome: 'error', failure }),
      ],
      { control: true },
    );
    expect(lines.slice(0, 7)).toEqual([
      'This task checks nothing: passed without any agent',
      '  vacuous',
      'Let it verify something that is not so before the agent has done its work.',
      '1 task could not be judged:',
      '  broken  setup-failed: no disk',
      '1 task did not run.',
      '1 of 3 tasks noticed the missing agent.',
    ]);
    expect(lines.join('\n')).not.toContain('Every task');
  });
});
