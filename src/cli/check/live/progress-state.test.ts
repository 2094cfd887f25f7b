import { describe, expect, it } from 'vitest';
import {
  mcpCall,
  numbered,
  runStarted,
  runsDecided,
  serverChecked,
  startedOn,
  taskRunEnded,
  taskRunFailed,
  taskRunStarted,
} from '../../../../testing/check-events.js';
import type { EventBody } from '../../../journal/event.js';
import { estimateTimeLeft } from './live-frame.js';
import { ProgressState } from './progress-state.js';

const plan = {
  tasks: [
    { name: 'first', task: 'first', runs: 1, labels: {}, parallel: false },
    { name: 'second', task: 'second', runs: 4, labels: {}, parallel: true },
  ],
  taskRuns: 5,
  parallel: 2,
};

function stateAfter(bodies: EventBody[], redact = (text: string) => text): ProgressState {
  const state = new ProgressState(plan, redact, () => 1000);
  for (const event of numbered(bodies)) state.apply(event);
  return state;
}

describe('ProgressState', () => {
  it('knows which servers have not answered yet', () => {
    expect([...stateAfter([runStarted]).uncheckedServers]).toEqual(['memory']);
    expect(stateAfter([runStarted, serverChecked('memory')]).uncheckedServers.size).toBe(0);
  });

  describe('with workers', () => {
    const begun = { ...runStarted, evaluation: { queue: 'one' } } as EventBody;
    const resumed = (queue: string) =>
      ({
        type: 'run-resumed',
        proctor: '0',
        process: { pid: 1, startTime: '' },
        workspace: '',
        missing: 2,
        queue,
      }) as const;

    it('knows who does what', () => {
      const state = stateAfter([begun, startedOn('gpu-1', 'first')]);
      expect(state.running.get('first#1')?.worker).toBe('gpu-1');
    });

    it('keeps what they went on with while the check was gone', () => {
      const before = [begun, startedOn('gpu-1', 'first')];
      expect(stateAfter([...before, resumed('one')]).running.size).toBe(1);
      expect(stateAfter([...before, resumed('two')]).running.size).toBe(0);
      const ended = taskRunEnded('first');
      const [finished] = stateAfter([...before, resumed('one'), ended]).finished;
      expect(finished?.worker).toBe('gpu-1');
    });

    it('counts what was lost with one when another one has done it', () => {
      const lost = [
        startedOn('gpu-1', 'first'),
        taskRunEnded('first', { outcome: 'cancelled' }),
        { ...startedOn('gpu-2', 'first'), taskRun: 'first#1/2', attempt: 2 } as EventBody,
      ];
      expect(stateAfter(lost).finishedCount).toBe(0);
      const done = { ...taskRunEnded('first'), taskRun: 'first#1/2' } as EventBody;
      const { finished } = stateAfter([...lost, done]);
      expect(finished.map(({ outcome, worker }) => [outcome, worker])).toEqual([
        ['passed', 'gpu-2'],
      ]);
    });
  });

  it('counts nothing that --resume does again', () => {
    const cancelled = { outcome: 'cancelled' } as const;
    const resumed: EventBody = {
      type: 'run-resumed',
      proctor: '0',
      process: { pid: 1, startTime: '' },
      workspace: '',
      missing: 2,
    };
    const state = stateAfter([
      taskRunStarted('first'),
      taskRunEnded('first', cancelled),
      taskRunStarted('second', 1, 4),
      resumed,
      // The cleanup of what was killed.
      taskRunEnded('second', cancelled),
    ]);
    expect(state.finished).toEqual([]);
  });

  describe('with --runs auto', () => {
    const auto = {
      tasks: [
        { name: 'a', task: 'a', runs: 6, isOpen: true, labels: {}, parallel: true },
        { name: 'b', task: 'b', runs: 6, isOpen: true, labels: {}, parallel: true },
      ],
      taskRuns: 12,
      parallel: 2,
    };
    const autoAfter = (bodies: EventBody[]) => {
      const state = new ProgressState(
        auto,
        (text) => text,
        () => 1000,
      );
      for (const event of numbered(bodies)) state.apply(event);
      return state;
    };

    it('learns how many runs there are as they are decided', () => {
      const more = autoAfter([taskRunStarted('a', 1, 6), taskRunFailed('a'), runsDecided('a', 10)]);
      expect(more.plan.taskRuns).toBe(16);
      expect(more.taskOf('a')).toMatchObject({ runs: 10, isOpen: true });
      expect(more.finishedRunsOf('a')).toMatchObject([{ run: 1, runs: 10, isOpen: true }]);
      expect(more.isOpen).toBe(true);
      const settled = autoAfter([
        runsDecided('a', 10),
        runsDecided('a', 10, { settled: 'width' }),
        runsDecided('b', 6, { settled: 'max' }),
      ]);
      expect(settled.isOpen).toBe(false);
      expect(settled.taskOf('b')).toMatchObject({ runs: 6, isOpen: false, settled: 'max' });
      expect(settled.plan.taskRuns).toBe(16);
    });

    it('comes to the same when --resume emits it again', () => {
      const once = [runsDecided('a', 10), runsDecided('a', 12, { settled: 'width' })];
      expect(autoAfter([...once, ...once]).plan).toEqual(autoAfter(once).plan);
    });
  });

  it('follows a task run through its phases and calls', () => {
    const state = stateAfter([
      taskRunStarted('second', 2, 4),
      { type: 'phase-started', taskRun: 'second#2', phase: 'agent' },
      mcpCall('second', { name: 'open' }, 2),
      mcpCall('second', { name: 'by a step', by: 'harness' }, 2),
      mcpCall('second', { kind: 'other', method: 'tools/list' }, 2),
    ]);
    expect([...state.running.values()]).toMatchObject([
      { task: 'second', run: 2, runs: 4, phase: 'agent', calls: 1, latestCall: 'memory.open' },
    ]);
  });

  it('shows the tool that an agent says it uses, before the call has ended', () => {
    const state = stateAfter([
      taskRunStarted('first'),
      { type: 'agent-output', taskRun: 'first#1', kind: 'tool-call', tool: 'Bash' },
    ]);
    expect(state.running.get('first#1')?.latestCall).toBe('Bash');
  });

  it('knows the step that runs, and forgets what the agent did last', () => {
    const phase = (name: 'agent' | 'verify'): EventBody => ({
      type: 'phase-started',
      taskRun: 'first#1',
      phase: name,
    });
    const bodies: EventBody[] = [taskRunStarted('first'), phase('agent'), mcpCall('first')];
    const verifying = [...bodies, phase('verify'), mcpCall('first', { unfinished: true })];
    expect(stateAfter(verifying).running.get('first#1')).toMatchObject({
      calls: 2,
      latestCall: undefined,
      step: undefined,
    });
    const which = {
      taskRun: 'first#1',
      phase: 'verify',
      step: 1,
      kind: 'script',
      id: 'x',
    } as const;
    const started: EventBody = { type: 'step-started', ...which };
    expect(stateAfter([...verifying, started]).running.get('first#1')?.step).toEqual({
      name: 'script x',
      since: 1000,
    });
    const ended: EventBody = {
      type: 'step-ended',
      ...which,
      source: { file: 'task.yaml', line: 3 },
      passed: true,
      outcome: 'passed',
      outputs: {},
      durationMs: 1,
    };
    expect(stateAfter([...verifying, started, ended]).running.get('first#1')?.step).toBeUndefined();
  });

  it('keeps nothing but the last calls, and no evidence of what passed', () => {
    const calls = Array.from({ length: 9 }, (_, index) => mcpCall('first', { call: index + 1 }));
    const failed = stateAfter([taskRunStarted('first'), ...calls, taskRunFailed('first')]);
    const [run] = failed.finished;
    expect(run?.evidence?.calls.map(({ call }) => call)).toEqual([5, 6, 7, 8, 9]);
    const passed = stateAfter([taskRunStarted('first'), ...calls, taskRunEnded('first')]);
    expect(passed.finished[0]?.evidence).toBeUndefined();
    expect(passed.running.size).toBe(0);
  });

  it('lets a later attempt take the place of a cancelled one, and forgets what was killed', () => {
    const state = stateAfter([
      taskRunStarted('first'),
      taskRunEnded('first', { outcome: 'cancelled' }),
      taskRunStarted('second', 1, 4),
      {
        type: 'run-resumed',
        proctor: '1',
        process: { pid: 1, startTime: '1' },
        workspace: '/w',
        missing: 5,
      },
      taskRunStarted('first'),
      taskRunEnded('first'),
    ]);
    expect(state.finished.map(({ outcome }) => outcome)).toEqual(['passed']);
    expect(state.running.size).toBe(0);
  });

  it('counts warnings of one kind together', () => {
    const warning = {
      type: 'warning',
      code: 'server-exited',
      message: 'gone',
      server: 'a',
    } as const;
    const state = stateAfter([warning, warning, { ...warning, server: 'b' }]);
    expect(state.warnings.all).toEqual([
      { server: 'a', message: 'gone', count: 2 },
      { server: 'b', message: 'gone', count: 1 },
    ]);
  });

  it('keeps the evidence of a hundred failures, of more only the verdict', () => {
    const runs = Array.from({ length: 120 }, (_, index) => index + 1);
    const state = stateAfter(
      runs.flatMap((run) => [taskRunStarted('first', run, 120), taskRunFailed('first', { run })]),
    );
    expect(state.finished.filter(({ evidence }) => evidence)).toHaveLength(100);
    expect(state.finished).toHaveLength(120);
  });

  it('counts what it has, whatever is done again', () => {
    const state = stateAfter([
      taskRunEnded('first'),
      taskRunEnded('first'),
      taskRunStarted('second', 1, 4),
      taskRunEnded('second', { outcome: 'cancelled' }),
    ]);
    expect(state.finishedCount).toBe(state.finished.length);
    expect(state.finishedCount).toBe(2);
    expect(state.finishedCountOf('first')).toBe(1);
    const process = { pid: 2, startTime: '2' };
    const resumed = { type: 'run-resumed' as const, proctor: '0.1.0', process, missing: 1 };
    state.apply({ ...resumed, workspace: '/tmp/w', seq: 9, at: '2026-01-01T00:00:00.000Z' });
    expect(state.finishedCount).toBe(1);
    expect(state.finishedCountOf('second')).toBe(0);
  });

  it('takes secrets out before anything is cut', () => {
    const secret = 'x'.repeat(600);
    const redact = (text: string) => text.replaceAll(secret, '[redacted]');
    const state = stateAfter(
      [
        taskRunStarted('first'),
        mcpCall('first', { name: `${'a'.repeat(190)}${secret}` }),
        { type: 'agent-output', taskRun: 'first#1', kind: 'log', text: `log ${secret}` },
        {
          type: 'step-ended',
          taskRun: 'first#1',
          phase: 'verify',
          step: 1,
          kind: 'script',
          source: { file: 'task.yaml', line: 3 },
          passed: false,
          outcome: 'failed',
          message: `${'m'.repeat(1900)}${secret}`,
          outputs: { stdout: `${'o'.repeat(400)}${secret}` },
          durationMs: 1,
        },
        taskRunFailed('first', { output: `answer ${secret}` }),
      ],
      redact,
    );
    expect(JSON.stringify(state.finished)).not.toContain('xxx');
  });
});

describe('the time that is left', () => {
  it('is not known before a task run has ended', () => {
    expect(
      estimateTimeLeft(stateAfter([runStarted, taskRunStarted('first')]), 5000),
    ).toBeUndefined();
    const cancelled = taskRunEnded('first', { outcome: 'cancelled' });
    expect(estimateTimeLeft(stateAfter([cancelled]), 5000)).toBeUndefined();
  });

  it('is that of parallel task runs over as many as run at once', () => {
    const state = stateAfter([taskRunEnded('first', { durationMs: 10_000 })]);
    expect(estimateTimeLeft(state, 1000)).toBe(20_000);
  });

  it('takes a task by its own runs, and into account how long one runs already', () => {
    const state = stateAfter([
      taskRunEnded('first', { durationMs: 99_000 }),
      taskRunEnded('second', { durationMs: 10_000 }),
      taskRunStarted('second', 2, 4),
    ]);
    // One has 6 s to go, two wait for 10 s each, and two run at once.
    expect(estimateTimeLeft(state, 5000)).toBe(13_000);
  });

  it('is nothing at the end', () => {
    const runs = [1, 2, 3, 4].map((run) => taskRunEnded('second', { run }));
    expect(estimateTimeLeft(stateAfter([taskRunEnded('first'), ...runs]), 0)).toBe(0);
  });
});
