import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeRun } from '../../../../testing/check-closing.js';
import {
  mcpCall,
  numbered,
  runStarted,
  serverChecked,
  startedOn,
  taskRunEnded,
  taskRunFailed,
  taskRunStarted,
} from '../../../../testing/check-events.js';
import type { EventBody } from '../../../journal/event.js';
import type { CommandIo } from '../../terminal/output.js';
import { displayWidth } from '../../terminal/text.js';
import { type CheckDisplayOptions, createCheckDisplay } from './check-display.js';
import { LiveRegion } from './live-region.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The timers are no real ones once the tests run. */
const files = { resultsPath: 'o.json', journalPath: 'o.jsonl' };
const end = { ...files, ...(await closeRun([])) };
const onePassed = { ...files, ...(await closeRun([taskRunEnded('a')], { taskRuns: 2 })) };
const twoCancelled = {
  ...files,
  ...(await closeRun([1, 2].map((run) => taskRunEnded('a', { run, outcome: 'cancelled' })))),
};

function displayOf(
  over: Partial<CheckDisplayOptions> = {},
  terminal?: { columns: number; rows: number },
  environment: CommandIo['environment'] = { LANG: 'C.UTF-8', NO_COLOR: '1' },
) {
  const written = { stdout: '', stderr: '' };
  const outputOf = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTerminal: terminal !== undefined,
    size: () => terminal,
  });
  const display = createCheckDisplay({
    io: { stdout: outputOf('stdout'), stderr: outputOf('stderr'), environment },
    isStdoutTaken: false,
    repeat: ['check', 'eval.yaml'],
    verbose: false,
    control: false,
    redact: (text) => text,
    plan: {
      tasks: [{ name: 'a', task: 'a', runs: 2, labels: {}, parallel: true }],
      taskRuns: 2,
      parallel: 2,
    },
    ...over,
  });
  return { display, written };
}

describe('createCheckDisplay', () => {
  it.each([
    [{ LANG: 'C.UTF-8' }, true],
    [{ CI: 'true' }, false],
    [{ TERM: 'dumb' }, false],
  ])('redraws on a terminal with %j: %s', (environment, isLive) => {
    const { display, written } = displayOf({}, { columns: 80, rows: 24 }, environment);
    display.finish(end);
    expect(written.stderr.includes('\u001b[?25l')).toBe(isLive);
    expect(written.stderr.endsWith('\u001b[?25h')).toBe(isLive);
  });

  it('prints a task with all its runs when the last one is over', () => {
    const { display, written } = displayOf({}, { columns: 80, rows: 24 });
    const [first, second] = numbered([taskRunFailed('a'), taskRunEnded('a', { run: 2 })]);
    if (first) display.onEvent(first);
    vi.advanceTimersByTime(100);
    expect(written.stderr).not.toContain('✗');
    if (second) display.onEvent(second);
    vi.advanceTimersByTime(100);
    expect(written.stderr).toContain('✗ a         1/2  verification-failed  1.5 s each  4 calls');
    display.finish(end);
  });

  it.each([
    ['free', 'stdout', false],
    ['taken', 'stderr', true],
  ] as const)('with stdout %s the report goes to %s', (_state, place, isStdoutTaken) => {
    const { display, written } = displayOf({ isStdoutTaken });
    display.finish(end);
    const other = place === 'stdout' ? 'stderr' : 'stdout';
    expect(written[place]).toContain('Totals\n');
    expect(written[other]).toBe('');
  });

  it('counts what was done before a resume without showing it', () => {
    const { display, written } = displayOf();
    for (const event of numbered([taskRunStarted('a', 1, 2), taskRunEnded('a')])) {
      display.replay(event);
    }
    expect(written.stderr).toBe('');
    display.finish(onePassed);
    expect(written.stdout).toContain('task runs  2: 1 passed, 1 not done');
  });

  it.each([undefined, { columns: 80, rows: 24 }])(
    'says once and in full why a worker does not take part, on %j',
    (terminal) => {
      const redact = (text: string) => text.replaceAll('hunter2', '[redacted:PW]');
      const { display, written } = displayOf({ redact }, terminal);
      display.refused('gpu-1', 'error: no key\n\n  at eval.yaml:7\u001b[2J hunter2');
      display.stop();
      const shown = written.stderr.replaceAll('\u001b[K', '');
      expect(shown).toContain(
        [
          'warning  worker gpu-1 cannot take part:',
          '  error: no key',
          '',
          '    at eval.yaml:7␛[2J [redacted:PW]',
          '',
        ].join('\n'),
      );
    },
  );

  it('does not take for the end of a task what another worker does again', () => {
    const { display, written } = displayOf({}, { columns: 80, rows: 24 });
    const cancelled = { outcome: 'cancelled' as const };
    const bodies = [
      startedOn('one', 'a', 1, 2),
      startedOn('one', 'a', 2, 2),
      taskRunEnded('a', cancelled),
      taskRunEnded('a', { run: 2, ...cancelled }),
    ];
    for (const event of numbered(bodies)) display.onEvent(event);
    vi.advanceTimersByTime(100);
    expect(written.stderr).not.toContain('cancelled');
    display.finish(twoCancelled);
    expect(written.stdout).toContain('2 cancelled');
  });

  it('expects the end by how much workers do at once', () => {
    const { display, written } = displayOf(
      {
        plan: {
          tasks: [{ name: 'a', task: 'a', runs: 9, labels: {}, parallel: true }],
          taskRuns: 9,
          parallel: 1,
        },
      },
      { columns: 100, rows: 24 },
    );
    display.workers({ gone: [], workers: 2, slots: 8, unserved: [] });
    for (const event of numbered([taskRunEnded('a', { durationMs: 60_000 })])) {
      display.onEvent(event);
    }
    vi.advanceTimersByTime(100);
    expect(written.stderr).toContain('1/9 task runs, 2 workers, about 1 m 0 s left');
    display.stop();
  });

  it('says what Ctrl-C does', () => {
    const { display, written } = displayOf();
    display.interrupted(1);
    display.interrupted(2);
    display.stop();
    expect(written.stderr).toBe(
      'stopping: running cleanup; Ctrl-C again to stop at once\nstopping at once\n',
    );
  });

  it('shows what agents say and call with --verbose', () => {
    const { display, written } = displayOf({
      verbose: true,
      redact: (text) => text.replaceAll('hunter2', '[redacted:PW]'),
    });
    const bodies: EventBody[] = [
      taskRunStarted('a', 1, 2),
      { type: 'phase-started', taskRun: 'a#1', phase: 'agent' },
      { type: 'agent-output', taskRun: 'a#1', kind: 'message', text: 'I try hunter2\n\u001b[2J' },
      { type: 'agent-output', taskRun: 'a#1', kind: 'tool-call', tool: 'Bash' },
      mcpCall('a'),
    ];
    for (const event of numbered(bodies)) display.onEvent(event);
    display.stop();
    const lines = written.stderr.split('\n').map((line) => line.replace(/\d\d:\d\d:\d\d/, 'TIME'));
    expect(lines).toEqual([
      'a (run 1 of 2)  started',
      'a (run 1 of 2)  agent starts',
      'a (run 1 of 2)  > I try [redacted:PW]',
      'a (run 1 of 2)  > ␛[2J',
      'a (run 1 of 2)  uses Bash',
      'a (run 1 of 2)  TIME  memory     12 ms  ok          open  #1',
      '',
    ]);
  });
});

describe('whatever happens', () => {
  const hostile = fc.oneof(
    fc.constantFrom('a', '\u001b[2J\u009b1m', 'x\r\ny', '日本語'.repeat(20), '🎉❤️👩‍👧'.repeat(9)),
    fc.string({ unit: 'binary', maxLength: 60 }),
  );
  const anyEvent: fc.Arbitrary<EventBody> = fc
    .tuple(hostile, fc.integer({ min: 1, max: 3 }), hostile, fc.nat(12))
    .map(([task, run, text, kind]): EventBody => {
      const taskRun = `${task}#${run}`;
      switch (kind) {
        case 0:
          return runStarted;
        case 1:
          return serverChecked(text);
        case 2:
          return { type: 'phase-started', taskRun, phase: 'verify' };
        case 3:
          return mcpCall(task, { server: text, name: text, isError: true }, run);
        case 4:
          return { type: 'warning', code: 'stream-cut', taskRun, server: text, message: text };
        case 5:
          return taskRunFailed(task, { run, output: text });
        case 6:
          return taskRunEnded(task, { run });
        case 7:
          return { type: 'step-started', taskRun, phase: 'verify', step: 1, kind: text, id: text };
        case 8:
        case 9:
          return startedOn(text, task, run, 3);
        default:
          return taskRunStarted(task, run, 3);
      }
    });

  it('no line is wider than the terminal, and no control character but ours gets out', () => {
    const sizes = fc.record({
      columns: fc.integer({ min: 1, max: 100 }),
      rows: fc.integer({ min: 1, max: 30 }),
    });
    const names = fc.uniqueArray(hostile, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), sizes, names, (bodies, size, tasks) => {
        const plan = {
          tasks: tasks.map((name) => ({ name, task: name, runs: 3, labels: {}, parallel: true })),
          taskRuns: tasks.length * 3,
          parallel: 4,
        };
        const printed = vi.spyOn(LiveRegion.prototype, 'print');
        const { display, written } = displayOf({ plan }, size);
        const labels = Object.fromEntries(tasks.map((name) => [name, name]));
        const [first = ''] = tasks;
        display.workers({
          gone: [first],
          workers: 2,
          slots: 4,
          unserved: [{ waiting: 1, labels }],
        });
        for (const event of numbered(bodies)) {
          display.onEvent(event);
          vi.advanceTimersByTime(100);
        }
        const frames = written.stderr.split('\r');
        const rowsAbove = printed.mock.calls.map(([text]) => text.split('\n').length - 1);
        printed.mockRestore();
        display.finish(end);
        for (const frame of frames) {
          const lines = frame.replace(ours, '').split('\n');
          // Between two frames one event prints at most.
          const most = Math.max(size.rows - 1, 1) + Math.max(...rowsAbove, 0);
          expect(lines.length).toBeLessThanOrEqual(most);
        }
        const everything = (written.stderr + written.stdout).replace(ours, '');
        expect(everything).not.toMatch(/(?![\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        const region = frames.flatMap((frame) => frame.replace(ours, '').split('\n'));
        // A terminal that is too narrow to read anything on does not get its text in pieces either.
        const isWhole = (line: string) => size.columns < 40 && /^(server|warning) /.test(line);
        for (const line of region.filter((line) => !isWhole(line))) {
          expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(size.columns, 1));
        }
      }),
    );
  });

  // biome-ignore lint/suspicious/noControlCharactersInRegex: what the display itself writes.
  const ours = /\u001b\[(\?25[hl]|\d+A|[JK])/g;
});
