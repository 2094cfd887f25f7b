import { describe, expect, it } from 'vitest';
import { closeRun } from '../../../../testing/check-closing.js';
import {
  mcpCall,
  numbered,
  runsDecided,
  taskRunEnded,
  taskRunFailed,
  taskRunStarted,
} from '../../../../testing/check-events.js';
import { RawJson } from '../../../base/json-text.js';
import type { EventBody } from '../../../journal/event.js';
import type { Judgement, StepEnded } from '../../../journal/step-events.js';
import type { TaskRunEnded } from '../../../journal/task-run-events.js';
import type { TaskSummary } from '../live/plan-summary.js';
import { ProgressState } from '../live/progress-state.js';
import { type CheckEnd, type ReportContext, renderFinalReport } from './final-report.js';

const task = (name: string, over: Partial<TaskSummary> = {}): TaskSummary => ({
  name,
  task: name,
  runs: 1,
  labels: {},
  parallel: false,
  ...over,
});

async function report(
  tasks: TaskSummary[],
  bodies: EventBody[],
  how: Partial<CheckEnd> & Partial<ReportContext> = {},
): Promise<string[]> {
  const taskRuns = tasks.reduce((sum, { runs }) => sum + runs, 0);
  const plan = { tasks, taskRuns, parallel: 1 };
  const redact = (text: string) => text;
  const state = new ProgressState(plan, redact, () => 0);
  for (const event of numbered(bodies)) state.apply(event);
  const style = (_format: unknown, text: string) => text;
  const context = {
    state,
    program: 'proctor',
    repeat: ['check', 'eval.yaml'],
    control: false,
    elapsedMs: 61_000,
    style,
  };
  const begin = bodies.find((body) => body.type === 'run-started');
  const closing = await closeRun(bodies, { ...begin?.evaluation, taskRuns }, (name) => {
    const { labels = {}, difficulty } = tasks.find((one) => one.name === name) ?? {};
    return { labels, ...(difficulty !== undefined && { difficulty }) };
  });
  const end = { resultsPath: 'out.json', journalPath: 'out.jsonl', ...closing };
  return renderFinalReport({ ...end, ...how }, { ...context, ...how }).split('\n');
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

function headline(message: string) {
  return { category: 'verification-failed', message, evidence: 3 } as const;
}

/** The report on the task run `a` that failed by these steps. */
function reportFailure(steps: EventBody[], message = 'not so'): Promise<string[]> {
  const failed = taskRunFailed('a', { failure: headline(message) });
  return report([task('a')], [taskRunStarted('a'), ...steps, failed]);
}

describe('the report at the end of a check', () => {
  it('is short when everything passed', async () => {
    expect(await report([task('a')], [taskRunEnded('a')])).toEqual([
      'Totals',
      '  task runs  1: 1 passed',
      '  pass rate  100% (95% interval 20.7% to 100%), 1 of 1 judged task run',
      '  tasks      1 of 1 passed in every run',
      '  time       1 m 1 s',
      '  duration   a task run 1.5 s (median), p95 1.5 s, at most 1.5 s',
      '  calls      2, 0 errors, 40 tokens of arguments and results',
      '',
      'Results: out.json',
      'Journal: out.jsonl',
      'Details:',
      '  proctor view out.json',
      '  proctor report out.json',
      '',
    ]);
  });

  it('shows a failure in full: steps, assertions, calls and the answer', async () => {
    const stdout = Array.from({ length: 22 }, (_, index) => `line ${index + 1}`).join('\n');
    const lines = await report(
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
        taskRunFailed('a', {
          output: 'All\ndone',
          failure: headline('verify, look (script): exited with 1'),
        }),
      ],
      { repeat: ['check', "it's.yaml"] },
    );
    const quoted = Array.from({ length: 20 }, (_, index) => `      | line ${index + 3}`);
    expect(lines.slice(0, lines.indexOf('Totals'))).toEqual([
      '1 task run did not pass',
      '',
      'a  failed  1.5 s',
      '  verification-failed: verify, look (script): exited with 1',
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
    expect(lines.at(-2)).toBe(String.raw`  proctor check 'it'\''s.yaml' --rerun-failed out.json`);
  });

  it('leaves out the message of the step that is the headline, and of no other step', async () => {
    const steps = [1, 2].map((step) => stepFailed('a#1', { step, message: 'one\ntwo' }));
    const lines = await reportFailure(steps, 'verify, step 1 (script): one\ntwo');
    expect(lines.slice(3, 7)).toEqual([
      '  verification-failed: verify, step 1 (script): one two',
      '  verify step 1 (script) failed  task.yaml:7',
      '  verify step 2 (script) failed  task.yaml:7',
      '    one two',
    ]);
    const long = 'word '.repeat(1000);
    const once = await reportFailure(
      [stepFailed('a#1', { message: long })],
      `verify, step 1 (script): ${long}`,
    );
    expect(once.filter((line) => line.includes('word'))).toHaveLength(1);
  });

  it('says how many steps it leaves out, and loses none of cleanup for them', async () => {
    const steps = Array.from({ length: 12 }, (_, index) => stepFailed('a#1', { step: index + 1 }));
    const cleanup = steps.map((step) => ({ ...step, phase: 'cleanup' as const }));
    const lines = await reportFailure([...steps, ...cleanup] as EventBody[]);
    expect(lines).toContain('  verify step 10 (script) failed  task.yaml:7');
    expect(lines).not.toContain('  verify step 11 (script) failed  task.yaml:7');
    expect(lines).toContain('  and 2 more steps did not pass');
    const left = 'a: cleanup step 10 (script, task.yaml:7) did not pass: exited with 1';
    expect(lines).toContain(`  ${left}`);
    expect(lines).toContain('  and 2 more like this');
  });

  it('shows failures of cleanup even with too many failures to keep their evidence', async () => {
    const runs = Array.from({ length: 101 }, (_, index) => index + 1);
    const lines = await report(
      [task('a', { runs: 101 })],
      runs.flatMap((run) => [
        taskRunStarted('a', run, 101),
        ...(run === 101 ? [stepFailed('a#101', { phase: 'cleanup' })] : []),
        taskRunFailed('a', { run }),
      ]),
    );
    expect(lines.join('\n')).toContain('a (run 101 of 101): cleanup step 1');
  });

  it('shows what a step asked over HTTP, and how it was answered', async () => {
    const request = { method: 'GET', url: 'http://localhost:1234/orders\u001b', headers: {} };
    const response = { status: 500, headers: {}, bytes: 0 };
    expect(await reportFailure([stepFailed('a#1', { kind: 'http', request, response })])).toContain(
      '    - GET http://localhost:1234/orders␛: 500',
    );
    expect(await reportFailure([stepFailed('a#1', { kind: 'http', request })])).toContain(
      '    - GET http://localhost:1234/orders␛: no answer',
    );
  });

  it('does not count the lines of an output whose middle was left out', async () => {
    const stdout = 'line\n'.repeat(30);
    const cut = { outputs: { stdout }, truncated: ['stdout'] };
    expect(await reportFailure([stepFailed('a#1', cut)])).toContain(
      '    stdout, the last 20 lines; more of it is in out.jsonl:2:',
    );
    expect(
      await reportFailure([stepFailed('a#1', { ...cut, files: { stdout: 'out/stdout.txt' } })]),
    ).toContain('    stdout, the last 20 lines; all of it is in out/stdout.txt:');
    const files = { stdout: 'out/stdout.txt' };
    expect(
      await reportFailure([stepFailed('a#1', { ...cut, outputs: { stdout: 'short' }, files })]),
    ).toContain('    stdout; all of it is in out/stdout.txt:');
  });

  it('quotes what an extension logged, line by line', async () => {
    const log = [
      { level: 'info', message: 'looking' },
      { level: 'error', message: 'no pod\n  in default\n' },
    ];
    const lines = await reportFailure([stepFailed('a#1', { kind: 'k8s.check', log })]);
    const start = lines.indexOf('    log:');
    expect(lines.slice(start, start + 4)).toEqual([
      '    log:',
      '      | info: looking',
      '      | error: no pod',
      '      |   in default',
    ]);
  });

  it('joins reasons of several lines into one line', async () => {
    const votes = [
      { passed: false, reason: 'no\r\n\r\n  tea', attempts: 1 },
      { passed: true, reason: 'tea', attempts: 1 },
    ];
    const judgement: Judgement = {
      mode: 'contains',
      reference: 'tea',
      passed: false,
      reason: 'no tea',
      failureCategory: 'n/a',
      votes,
    };
    const lines = await reportFailure(
      [stepFailed('a#1', { kind: 'llmJudge', judgement })],
      'no\ntea',
    );
    expect(lines).toContain('  verification-failed: no tea');
    expect(lines).toContain('    - vote 1: failed: no tea');
  });

  it('shows the end of the log of an agent that failed', async () => {
    const failure = { category: 'agent-failed', message: 'exited with 3', evidence: 2 } as const;
    const ended = taskRunEnded('a', { outcome: 'error', failure });
    const log: EventBody = { type: 'agent-output', taskRun: 'a#1', kind: 'log', text: 'no key\n' };
    expect(await report([task('a')], [taskRunStarted('a'), log, ended])).toContain('    | no key');
    const details: EventBody = {
      type: 'phase-ended',
      taskRun: 'a#1',
      phase: 'agent',
      outcome: 'error',
      durationMs: 1,
      details: 'see the manual',
    };
    const lines = await report([task('a')], [taskRunStarted('a'), log, details, ended]);
    expect(lines).toContain('    | see the manual');
    expect(lines).not.toContain('    | no key');
  });

  it('adds up by difficulty and label, and says what agents reported', async () => {
    const usage = { inputTokens: 12_000, outputTokens: 500 };
    const lines = await report(
      [
        task('h', { difficulty: 'hard', labels: { area: 'net' } }),
        task('e', { difficulty: 'easy', labels: { area: 'net' }, runs: 2 }),
      ],
      [taskRunFailed('h'), taskRunEnded('e', { usage, cost: 0.5, judge: { usage, cost: 0.25 } })],
    );
    expect(lines.slice(lines.indexOf('By difficulty'))).toEqual([
      'By difficulty',
      '  difficulty  passed  rate   95% interval',
      '  easy        1 of 1  100%  20.7% to 100%',
      '  hard        0 of 1    0%    0% to 79.3%',
      '',
      'By label',
      '  label     passed   rate   95% interval',
      '  area=net  1 of 2  50.0%  9.5% to 90.5%',
      '',
      'Totals',
      '  task runs     3: 1 passed, 1 failed, 1 not done',
      '  pass rate     50.0% (95% interval 9.5% to 90.5%), 1 of 2 judged task runs',
      '  tasks         1 of 2 passed in every run',
      '  time          1 m 1 s',
      '  duration      a task run 1.5 s (median), p95 1.5 s, at most 1.5 s',
      '  calls         4, 0 errors, 80 tokens of arguments and results',
      '  model tokens  12.0k in, 500 out',
      '  cost          $0.50',
      '  judge tokens  12.0k in, 500 out',
      '  judge cost    $0.25',
      '',
      'Results: out.json',
      'Journal: out.jsonl',
      'Details:',
      '  proctor view out.json',
      '  proctor report out.json',
      'Re-run failures:',
      '  proctor check eval.yaml --rerun-failed out.json',
      '',
    ]);
  });

  it('lists what is worth a look although it decided nothing', async () => {
    const lines = await report(
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
      '  2 tool calls were denied to the agent: Bash (2)',
      '  a (run 1 of 2): cleanup step 1 (script, task.yaml:7) did not pass: still there',
      '  warning: memory: cut off (2 times)',
      '  a (run 1 of 2): the working directory is in /tmp/kept',
    ]);
    expect(lines).toContain('  flaky      a (1 of 2 passed)');
  });

  it.each([
    ['interrupted', 'Interrupted; the same command with --resume continues'],
    ['broken', 'Not finished; the same command with --resume continues'],
    ['bailed', 'Stopped early by --bail'],
  ] as const)('says how to go on after %s', async (end, line) => {
    const lines = await report([task('a'), task('b')], [taskRunFailed('a')], { end });
    expect(lines).toContain(line);
  });

  it('says which budget was reached, and how to go on', async () => {
    const budget = { kind: 'cost', limit: 1, spent: 1.2 } as const;
    const lines = await report([task('a'), task('b')], [taskRunEnded('a')], {
      end: 'budget',
      budget,
    });
    expect(lines).toContain(
      'Stopped early: --max-cost was reached ($1.20 of $1.00); to continue, add --resume and raise or remove the limit',
    );
  });

  it('says how costs came about, and of which model no price is known', async () => {
    const usage = { inputTokens: 100, outputTokens: 10 };
    const agent = { name: 'a', type: 'llm-agent', model: 'openai:ours' };
    const judge = { ...agent, model: 'openai:theirs' };
    const started = { type: 'run-started', mcpServers: [], evaluation: { agent, judge } };
    const begin = started as unknown as EventBody;
    const rows = async (over: Partial<TaskRunEnded>) => {
      const lines = await report([task('a')], [begin, taskRunEnded('a', { ...over, judge: over })]);
      return lines
        .map((line) => line.trim().replace(/ {2,}/, ': '))
        .filter((line) => /^(judge )?cost:/.test(line));
    };
    const priced = { usage, cost: 0.5, costSource: 'priced' } as const;
    expect(await rows(priced)).toEqual([
      'cost: $0.50 by tokens and prices',
      'judge cost: $0.50 by tokens and prices',
    ]);
    const reported = { usage, cost: 0.5, costSource: 'reported' } as const;
    expect(await rows(reported)).toEqual(['cost: $0.50', 'judge cost: $0.50']);
    expect(await rows({ usage })).toEqual([
      'cost: unknown: no price for openai:ours (see check --prices)',
      'judge cost: unknown: no price for openai:theirs (see check --prices)',
    ]);
  });

  it('says how many tasks ran often enough with --runs auto', async () => {
    const open = { runs: 3, isOpen: true };
    const lines = await report(
      [task('a', open), task('b', open), task('c', open)],
      [runsDecided('a', 6, { settled: 'width' }), runsDecided('b', 20, { settled: 'max' })],
    );
    expect(lines).toContain(
      '  runs       auto: 2 of 3 tasks settled, 1 of them by the maximum number of runs',
    );
  });

  it('lists failures in short when there are more than 100', async () => {
    const runs = Array.from({ length: 101 }, (_, index) => index + 1);
    const lines = await report(
      [task('a', { runs: 101 })],
      runs.flatMap((run) => [taskRunStarted('a', run, 101), taskRunFailed('a', { run })]),
    );
    expect(lines).toContain('1 more, in full in out.json:');
    expect(lines).toContain('  a (run 101 of 101)  verification-failed: exited with 1');
  });
});

describe('the report of a run without an agent', () => {
  it('says when every task fails without an agent', async () => {
    const lines = await report([task('a')], [taskRunFailed('a')], { control: true });
    expect(lines).toEqual([
      'Every task fails without an agent, as it should (1 task).',
      '',
      'Results: out.json',
      'Journal: out.jsonl',
      '',
    ]);
  });

  it('names tasks that check nothing, and those that could not be judged', async () => {
    const failure = { category: 'setup-failed', message: 'no disk', evidence: 1 } as const;
    const lines = await report(
      [task('good'), task('vacuous'), task('broken'), task('left')],
      [
        taskRunFailed('good'),
        taskRunEnded('vacuous'),
        taskRunEnded('broken', { outcome: 'error', failure }),
      ],
      { control: true },
    );
    expect(lines.slice(0, 7)).toEqual([
      '1 task passes without an agent: it checks nothing',
      '  vacuous',
      'Make it verify something that is not true until the agent has done its work.',
      '1 task could not be judged:',
      '  broken  setup-failed: no disk',
      '1 task did not run.',
      '1 of 3 tasks fails without an agent, as it should.',
    ]);
    expect(lines.join('\n')).not.toContain('Every task');
  });
});
