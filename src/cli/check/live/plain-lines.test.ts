import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  mcpCall,
  numbered,
  runsDecided,
  serverChecked,
  startedOn,
  taskRunEnded,
  taskRunFailed,
  taskRunStarted,
} from '../../../../testing/check-events.js';
import type { EventBody } from '../../../journal/event.js';
import { PlainLines } from './plain-lines.js';
import { ProgressState } from './progress-state.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function plainLines(control = false) {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: false };
  const tasks = [{ name: 'a', task: 'a', runs: 2, labels: {}, parallel: true }];
  const now = () => performance.now();
  const redact = (text: string) => text;
  const state = new ProgressState({ tasks, taskRuns: 2, parallel: 1 }, redact, now);
  const style = (_format: unknown, text: string) => text;
  const lines = new PlainLines(output, { state, control, style, redact, now, budget: () => [] });
  const show = (...bodies: EventBody[]) => {
    for (const event of numbered(bodies)) lines.show(event, state.apply(event));
  };
  return { lines, show, written: () => written.splice(0).join('') };
}

describe('PlainLines', () => {
  it('has a line for what matters, and none for the rest', () => {
    const { lines, show, written } = plainLines();
    lines.note('checking 1 server');
    show(
      serverChecked('memory'),
      taskRunStarted('a', 1, 2),
      mcpCall('a'),
      taskRunEnded('a', { usage: { inputTokens: 900, outputTokens: 100 }, cost: 0.25 }),
      { type: 'warning', code: 'server-exited', server: 'memory', message: 'it ended' },
      { type: 'warning', code: 'server-exited', server: 'memory', message: 'it ended' },
      taskRunStarted('a', 2, 2),
      taskRunFailed('a', { run: 2 }),
    );
    lines.stop();
    expect(written().split('\n')).toEqual([
      'checking 1 server',
      'server memory: 2 tools (1 allowed), 1 prompt  120 ms',
      '[1/2] passed a (run 1 of 2)  1.5 s, 2 calls, 1.0k tokens, $0.25',
      'warning  memory: it ended',
      '[2/2] failed a (run 2 of 2)  1.5 s, 2 calls: verification-failed: exited with 1',
      '',
    ]);
  });

  it('says who takes part when that changes, and once what nobody can do', () => {
    const { lines, show, written } = plainLines();
    const gpu = { cluster: 'gpu' };
    lines.workers({ gone: [], workers: 2, slots: 3, unserved: [{ waiting: 2, labels: gpu }] });
    lines.workers({ gone: [], workers: 2, slots: 3, unserved: [{ waiting: 1, labels: gpu }] });
    lines.workers({ gone: [], workers: 3, slots: 4, unserved: [] });
    lines.workers({ gone: [], workers: 0, slots: 0, unserved: [{ waiting: 1, labels: gpu }] });
    show(startedOn('gpu-1', 'a', 1, 2));
    vi.advanceTimersByTime(60_000);
    show(taskRunEnded('a'));
    lines.stop();
    expect(written().split('\n')).toEqual([
      '2 workers, 3 task runs at once',
      '2 task runs wait for a worker with cluster=gpu',
      '3 workers, 4 task runs at once',
      'no worker takes part: start one with proctor worker --queue',
      '1 task run waits for a worker with cluster=gpu',
      'still running: a (run 1 of 2) for 1 m 0 s, 0 calls, on gpu-1',
      '[1/2] passed a (run 1 of 2)  1.5 s, 2 calls, on gpu-1',
      '',
    ]);
  });

  it('says that a task ran often enough, but not again what --resume has found', () => {
    const { lines, show, written } = plainLines();
    show(runsDecided('a', 6, { settled: 'width' }));
    expect(written()).toBe('');
    show(
      taskRunStarted('a', 1, 6),
      runsDecided('a', 8),
      runsDecided('a', 8, { settled: 'width' }),
      runsDecided('a', 8, { settled: 'max', interval: null, passed: 0, judged: 0 }),
    );
    lines.stop();
    expect(written().split('\n')).toEqual([
      'a ran often enough: 6 of 6 passed, which is 61.0% to 100%',
      'a has had the maximum number of runs: 0 of 0 passed',
      '',
    ]);
  });

  it('shows that it lives when nothing happens for a minute', () => {
    const { lines, show, written } = plainLines();
    lines.note('Checking 1 server');
    vi.advanceTimersByTime(60_000);
    expect(written()).toBe('Checking 1 server\nstill checking 1 server\n');
    show(
      taskRunStarted('a', 1, 2),
      { type: 'phase-started', taskRun: 'a#1', phase: 'agent' },
      mcpCall('a'),
    );
    vi.advanceTimersByTime(120_000);
    expect(written()).toBe(
      'still running: agent phase of a (run 1 of 2) for 1 m 0 s, 1 call\n' +
        'still running: agent phase of a (run 1 of 2) for 2 m 0 s, 1 call\n',
    );
    const which = { taskRun: 'a#1', phase: 'verify', step: 1, kind: 'llmJudge' } as const;
    show({ type: 'phase-started', taskRun: 'a#1', phase: 'verify' });
    show({ type: 'step-started', ...which });
    vi.advanceTimersByTime(60_000);
    expect(written()).toBe(
      'still running: verify phase of a (run 1 of 2) for 1 m 0 s, now llmJudge, 1 call\n',
    );
    show({ type: 'wait-started', taskRun: 'a#1', for: 'model', model: 'openai:gpt-5' });
    vi.advanceTimersByTime(60_000);
    expect(written()).toBe(
      'still waiting: a (run 1 of 2) for its turn to ask openai:gpt-5, 1 m 0 s\n',
    );
    lines.stop();
    vi.advanceTimersByTime(120_000);
    expect(written()).toBe('');
  });

  it('without an agent, a task that fails is a good one', () => {
    const { lines, show, written } = plainLines(true);
    show(taskRunFailed('a'), taskRunEnded('a', { run: 2 }));
    lines.stop();
    expect(written()).toMatch(
      /^\[1\/2\] ok, fails without an agent: a .*\n\[2\/2\] passed without an agent: a /,
    );
  });
});
