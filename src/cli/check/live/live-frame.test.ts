import { describe, expect, it } from 'vitest';
import {
  mcpCall,
  numbered,
  runStarted,
  startedOn,
  taskRunEnded,
  taskRunFailed,
  taskRunStarted,
} from '../../../../testing/check-events.js';
import type { EventBody } from '../../../journal/event.js';
import { displayWidth } from '../../terminal/text.js';
import { type FrameContext, renderFrame } from './live-frame.js';
import type { TaskSummary } from './plan-summary.js';
import { ProgressState } from './progress-state.js';
import { chooseFigures } from './terminal-line.js';

const task = (name: string, runs = 1): TaskSummary => ({
  name,
  task: name,
  runs,
  labels: {},
  parallel: true,
});

function frame(
  tasks: TaskSummary[],
  bodies: EventBody[],
  [columns, rows]: [number, number],
  over: Partial<FrameContext> = {},
): string[] {
  let clock = 0;
  const taskRuns = tasks.reduce((sum, { runs }) => sum + runs, 0);
  const state = new ProgressState(
    { tasks, taskRuns, parallel: 2 },
    (text) => text,
    () => clock,
  );
  for (const event of numbered(bodies)) {
    state.apply(event);
    clock += 1000;
  }
  return renderFrame(state, {
    size: { columns, rows },
    now: clock,
    frame: 0,
    note: undefined,
    stopping: undefined,
    control: false,
    budget: [],
    style: (_format, text) => text,
    signs: chooseFigures({ LANG: 'en_GB.UTF-8' }),
    ...over,
  });
}

describe('liveFrame', () => {
  it('says what goes on before task runs do', () => {
    expect(frame([task('a')], [], [80, 24], { note: 'looking for claude' })).toEqual([
      '⠋ looking for claude',
    ]);
    expect(frame([task('a')], [runStarted], [80, 24], { note: 'x' })).toEqual([
      '⠋ checking 1 server',
    ]);
  });

  it('shows who waits for what', () => {
    const model = { for: 'model', model: 'openai:gpt-5' } as const;
    const bodies: EventBody[] = [
      taskRunStarted('a'),
      { type: 'wait-started', taskRun: 'a#1', for: 'agent' },
      taskRunStarted('b'),
      { type: 'phase-started', taskRun: 'b#1', phase: 'agent' },
      mcpCall('b'),
      { type: 'wait-started', taskRun: 'b#1', ...model },
    ];
    const [first, second] = frame([task('a'), task('b')], bodies, [90, 24]);
    expect(first).toMatch(/^⠋ a +waiting +6 s {2}for another agent to finish, 5 s$/);
    expect(second).toMatch(/^⠋ b +waiting +4 s {2}for its turn to ask openai:gpt-5, 1 s$/);
    const ended: EventBody = { type: 'wait-ended', taskRun: 'b#1', ...model, durationMs: 2_000 };
    expect(frame([task('a'), task('b')], [...bodies, ended], [90, 24])[1]).toMatch(/^⠋ b +agent /);
  });

  it('shows which worker does what, and what nobody can do', () => {
    const bodies: EventBody[] = [
      startedOn('gpu-1', 'a'),
      startedOn('a-worker-with-a-long-name', 'b'),
      { type: 'phase-started', taskRun: 'b#1', phase: 'agent' },
      mcpCall('b'),
    ];
    const workers = {
      gone: [],
      workers: 2,
      slots: 8,
      unserved: [{ waiting: 3, labels: { cluster: 'gpu' } }],
    };
    const tasks = [task('a'), task('b'), task('c', 3)];
    expect(frame(tasks, bodies, [90, 24], { workers })).toEqual([
      '⠋ a                        4 s  gpu-1',
      '⠋ b         agent          3 s  a-worker-with-a…  memory.open',
      '3 task runs wait for a worker with cluster=gpu',
      '────────────────────────  0/5 task runs, 2 workers',
    ]);
    const gone = { ...workers, gone: ['gpu-1'] };
    const [lost] = frame(tasks, bodies, [100, 24], { workers: gone });
    expect(lost).toBe(
      '⠋ a         lost           4 s  gpu-1             does not answer: another worker is given it',
    );
    const [, narrow] = frame(tasks, bodies, [70, 24], { workers });
    expect(narrow).toBe('⠋ b         agent          3 s  memory.open');
  });

  it('says how many workers there are while nobody has begun, and that there is none', () => {
    const workers = { gone: [], workers: 1, slots: 4, unserved: [] };
    expect(frame([task('a')], [], [80, 24], { workers })).toEqual([
      '⠋ 1 worker, 4 task runs at once',
    ]);
    const none = { gone: [], workers: 0, slots: 0, unserved: [] };
    const [waiting, progress] = frame([task('a', 2)], [taskRunEnded('a')], [80, 24], {
      workers: none,
    });
    expect(waiting).toBe('⠋ no worker takes part: start one with proctor worker --queue');
    expect(progress).toContain('1/2 task runs, no worker');
  });

  it('has a line for every task run, and one for all', () => {
    const lines = frame(
      [task('create-pod', 3), task('list')],
      [
        runStarted,
        taskRunStarted('create-pod', 2, 3),
        { type: 'phase-started', taskRun: 'create-pod#2', phase: 'agent' },
        mcpCall('create-pod', {}, 2),
        taskRunStarted('list'),
        taskRunEnded('create-pod', { run: 1, durationMs: 8000 }),
        taskRunFailed('create-pod', { run: 3, durationMs: 8000 }),
      ],
      [80, 24],
    );
    expect(lines).toEqual([
      '⠋ create-pod 2/3  agent          6 s  memory.open',
      '⠋ list                           3 s',
      '━━━━━━━━━━━━────────────  2/4 task runs, 1 not passed, 7 s, about 5 s left',
    ]);
  });

  it('shows how far budgets are spent, and that there may be more task runs', () => {
    const lines = frame(
      [{ ...task('create-pod', 6), isOpen: true }],
      [runStarted, taskRunStarted('create-pod', 2, 6), taskRunEnded('create-pod', { run: 1 })],
      [120, 24],
      { budget: [{ kind: 'cost', limit: 5, spent: 0.42 }] },
    );
    expect(lines).toEqual([
      expect.stringMatching(/^⠋ create-pod 2 /),
      expect.stringContaining('  1/6+ task runs, $0.42 of $5.00, 3 s'),
    ]);
  });

  it('says which step it waits for, and how long', () => {
    const which = { taskRun: 'list#1', step: 2 } as const;
    const bodies: EventBody[] = [
      taskRunStarted('list'),
      { type: 'phase-started', taskRun: 'list#1', phase: 'agent' },
      mcpCall('list'),
      { type: 'phase-started', taskRun: 'list#1', phase: 'verify' },
    ];
    expect(frame([task('list')], bodies, [80, 24])[0]).toBe('⠋ list      verify         4 s');
    bodies.push({ type: 'step-started', ...which, phase: 'verify', kind: 'llmJudge' }, runStarted);
    expect(frame([task('list')], bodies, [80, 24])[0]).toBe(
      '⠋ list      verify         6 s  llmJudge 2 s',
    );
  });

  it('makes do with less on a narrow terminal', () => {
    const bodies = [
      taskRunStarted('a-task-with-a-long-name', 2, 3),
      { type: 'phase-started', taskRun: 'a-task-with-a-long-name#2', phase: 'cleanup' } as const,
      mcpCall('a-task-with-a-long-name', {}, 2),
    ];
    const tasks = [task('a-task-with-a-long-name', 3)];
    expect(frame(tasks, bodies, [40, 24])).toEqual([
      '⠋ a-task-with-… 2/3  cleanup        3 s',
      '0/3 task runs',
    ]);
    expect(frame(tasks, bodies, [24, 24])).toEqual(['⠋ a-tas… 2/3        3 s', '0/3 task runs']);
  });

  it('shows the task runs that take longest when not all fit', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const tasks = names.map((name) => task(name));
    const bodies = names.map((name) => taskRunStarted(name));
    expect(frame(tasks, bodies, [60, 5])).toEqual([
      '⠋ a                        5 s',
      '⠋ b                        4 s',
      '  and 3 more',
      '0/5 task runs',
    ]);
    expect(frame(tasks, bodies, [60, 2])).toEqual(['0/5 task runs']);
    expect(frame(tasks, bodies, [60, 1])).toEqual(['0/5 task runs']);
  });

  it('says what Ctrl-C did, on two lines if need be', () => {
    const stopping = 'stopping: running cleanup; Ctrl-C again to stop at once';
    const wide = frame([task('a')], [taskRunStarted('a')], [80, 24], { stopping });
    expect(wide).toContain(stopping);
    const narrow = frame([task('a')], [taskRunStarted('a')], [40, 24], { stopping });
    expect(narrow).toContain('Ctrl-C again to stop at once');
  });

  it('uses ASCII where the locale is not UTF-8', () => {
    const lines = frame([task('a')], [taskRunStarted('a'), taskRunEnded('a')], [80, 24], {
      signs: chooseFigures({ LANG: 'C', LC_ALL: '' }),
    });
    expect(lines).toEqual([`${'#'.repeat(24)}  1/1 task run`]);
  });

  it.each([
    ['escape codes', '\u001b]0;pwned\u0007\u001b[2J'],
    ['line breaks', 'a\r\nb\u2028c'],
    ['ten thousand characters', 'x'.repeat(10_000)],
    ['emoji', '👩‍👩‍👧❤️✅🎉'.repeat(20)],
    ['wide characters', '日本語'.repeat(30)],
    ['marks without a width', `e${'\u0301'.repeat(5000)}`],
    ['direction marks', '\u202eabc\u2066'],
  ])('stays in its place with a name of %s', (_what, name) => {
    for (const columns of [80, 40, 20, 5, 1]) {
      const bodies = [taskRunStarted(name, 1, 2), mcpCall(name, { name })];
      for (const line of frame([task(name, 2)], bodies, [columns, 10])) {
        expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(columns - 1, 1));
        expect(line.length).toBeLessThan(2500);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
      }
    }
  });
});
