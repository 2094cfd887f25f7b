import { describe, expect, it } from 'vitest';
import {
  numbered,
  runStarted,
  runsDecided,
  taskRunEnded,
  taskRunFailed,
  taskRunStarted,
} from '../../testing/check-events.js';
import type { EventBody } from './event.js';
import type { RunResumed } from './run-events.js';
import { RunState } from './run-state.js';
import { formatTaskRunKey } from './task-run-events.js';

const planned = { ...runStarted, evaluation: { taskRuns: 3, queue: 'one' } } as EventBody;
const ended: EventBody = { type: 'run-ended', durationMs: 1, calls: 0 };

function resumed(over: Partial<RunResumed> = {}): EventBody {
  const process = { pid: 1, startTime: '' };
  return { type: 'run-resumed', proctor: '0', process, missing: 2, ...over };
}

function stateAfter(...bodies: EventBody[]): RunState {
  const state = new RunState();
  for (const event of numbered(bodies)) state.apply(event);
  return state;
}

describe('RunState', () => {
  it('counts a task run as finished when it has both a start and an end', () => {
    const state = stateAfter(planned, taskRunStarted('a'), taskRunEnded('a'), taskRunEnded('b'));
    expect([...state.outcomes.keys()]).toEqual([formatTaskRunKey({ task: 'a', run: 1 })]);
    expect(state.open.size).toBe(0);
  });

  it('gives the start of the task run that ended, and none for an end of another one', () => {
    const state = stateAfter(planned, taskRunStarted('a'));
    const [other, own] = numbered([
      { ...taskRunEnded('b'), taskRun: 'a#1' } as EventBody,
      taskRunEnded('a'),
    ]);
    expect(other && state.apply(other)).toBeUndefined();
    expect(own && state.apply(own)).toMatchObject({ type: 'task-run-started', task: 'a' });
  });

  it('does not count a cancelled task run as finished, even if an earlier attempt was', () => {
    const cancelled = taskRunEnded('a', { outcome: 'cancelled' });
    const first = [planned, taskRunStarted('a'), taskRunEnded('a')];
    expect(stateAfter(...first, taskRunStarted('a'), cancelled).outcomes.size).toBe(0);
  });

  it('keeps the outcome of the last attempt when an earlier one ends after it', () => {
    const second = { ...taskRunStarted('a'), taskRun: 'a#1.2', attempt: 2 } as EventBody;
    const passed = { ...taskRunEnded('a'), taskRun: 'a#1.2' } as EventBody;
    const done = [planned, taskRunStarted('a'), resumed(), second, passed, resumed()];
    for (const outcome of ['cancelled', 'failed'] as const) {
      const state = stateAfter(...done, taskRunEnded('a', { outcome }));
      expect([...state.outcomes.values()]).toEqual(['passed']);
      expect(state.open.size).toBe(0);
    }
  });

  it('counts attempts by their ends, too, where starts are lost', () => {
    const key = formatTaskRunKey({ task: 'a', run: 1 });
    const second = { ...taskRunEnded('a'), taskRun: 'a#1.2' } as EventBody;
    expect(stateAfter(planned, taskRunEnded('a')).lastAttempts.get(key)).toBe(1);
    expect(stateAfter(planned, second, taskRunEnded('a')).lastAttempts.get(key)).toBe(2);
  });

  it('plans what is done and what is missing when a run is resumed', () => {
    const done = [planned, taskRunStarted('a'), taskRunEnded('a')];
    expect(stateAfter(...done).planned).toBe(3);
    expect(stateAfter(...done, resumed({ missing: 5 })).planned).toBe(6);
    expect(stateAfter(...done, runsDecided('a', 4, { more: 2 })).planned).toBe(5);
    expect(stateAfter(runsDecided('a', 4, { more: 2 })).planned).toBeUndefined();
  });

  it('knows that task runs of a process that is gone do not go on, unless workers have them', () => {
    const begun = [planned, taskRunStarted('a')];
    expect(stateAfter(...begun).isRunning('a#1')).toBe(true);
    expect(stateAfter(...begun, resumed({ queue: 'one' })).isRunning('a#1')).toBe(true);
    expect(stateAfter(...begun, resumed({ queue: 'two' })).isRunning('a#1')).toBe(false);
    const again = stateAfter(...begun, resumed(), taskRunStarted('a'));
    expect(again.isRunning('a#1')).toBe(true);
    expect(stateAfter(...begun, ended).isRunning('a#1')).toBe(false);
  });

  it('takes over what a forced resume recorded, agents as a whole', () => {
    const agent = { name: 'one', type: 'scripted' };
    const variants = [{ name: 'x', agent }];
    const before = { ...runStarted, evaluation: { id: '1', agent, options: {} } } as EventBody;
    const options = { runs: 2 };
    const state = stateAfter(before, runsDecided('a', 4), resumed({ options, variants }));
    expect(state.record).toEqual({ id: '1', options, variants });
    expect(state.decidedRuns.size).toBe(0);
  });

  it('keeps agents and judge when a forced resume recorded options without them', () => {
    const agent = { name: 'one', type: 'scripted' };
    const kept = { id: '1', agent, variants: [{ name: 'x', agent }], judge: agent };
    const before = { ...runStarted, evaluation: { ...kept, options: {} } } as EventBody;
    const options = { runs: 2 };
    expect(stateAfter(before, resumed({ options })).record).toEqual({ ...kept, options });
  });

  it('goes on after its end when a task run starts, even if the event that resumed it was lost', () => {
    expect(stateAfter(planned, ended).runEnd).toBeDefined();
    expect(stateAfter(planned, ended, taskRunStarted('a')).runEnd).toBeUndefined();
  });

  it('adds up what task runs took, and those that did not pass', () => {
    const { tally } = stateAfter(
      taskRunEnded('a', { cost: 0.5, usage: { inputTokens: 10, outputTokens: 5 } }),
      taskRunFailed('b', { cost: -1, judge: { cost: 0.25 } }),
      taskRunEnded('c', { outcome: 'cancelled' }),
    );
    expect(tally).toMatchObject({ cost: 0.75, tokens: 15, notPassed: 1 });
  });
});
