import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskRunRecord } from '../../src/results/task-run-record.js';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../testing/journals.js';
import { proctorInTerminal } from '../support/in-terminal.js';
import { ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, script } from '../support/suite-parts.js';

let suite: ScratchSuite;

beforeAll(async () => {
  suite = await ScratchSuite.create({
    agent: {
      scripted: [
        {
          when: 'long',
          do: [
            ...Array.from({ length: 60 }, (_, index) =>
              callTelling('echo', { text: `number ${index + 1}` }),
            ),
            { say: 'enough' },
          ],
        },
        {
          do: [
            { say: 'I will look.' },
            callTelling('echo', { text: '\u001b[31mred\u001b[0m and \u202eback' }),
            callTelling('echo', { text: Array(20).fill('a line').join('\n') }),
            callTelling('nothing', {}),
            { say: 'It is done.' },
          ],
        },
      ],
    },
    tasks: {
      good: { spec: { verify: [script('true')] } },
      bad: { runs: 2, spec: { verify: [script('echo the pod is gone; exit 3')] } },
      unused: { spec: { assertions: { toolsNotUsed: [{ server: 'telling', tool: 'echo' }] } } },
      long: {},
    },
  });
  await suite.check();
});
afterAll(() => suite.remove());

const view = (...args: string[]) => suite.proctor(['view', ...args]);

describe('one task run', () => {
  it('is told with its failure on top, then phase by phase', async () => {
    const { stdout, stderr, exitCode } = await view('out.json', '--task', '^bad$', '--run', '1');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const places = [
      'x bad  failed  run 1 of 2',
      'verification-failed: ',
      '3 calls, 1 failed',
      'asked: Do bad.',
      'agent   passed',
      'says    I will look.',
      'calls   telling.echo  ok  #1',
      'calls   telling.nothing  error  #3',
      '! -32601: no method tools/call',
      'says    It is done.',
      'verify  failed',
      'step 1  x  script  failed',
      '| the pod is gone',
    ].map((text) => ({ text, place: stdout.indexOf(text) }));
    expect(places.filter(({ place }) => place === -1)).toEqual([]);
    expect(places).toEqual(places.toSorted((left, right) => left.place - right.place));
    expect(stdout).not.toContain('run 2');
  });

  it('is told without its events with --timeline=false', async () => {
    for (const flags of [['--timeline=false'], ['--timeline', 'false']]) {
      const { stdout } = await view('out.json', '--task', '^unused$', ...flags);
      expect(stdout).toContain('toolsNotUsed does not hold');
      expect(stdout).not.toContain('I will look.');
    }
    const whole = await view('out.json', '--task', '^unused$');
    expect((await view('out.json', '--task', '^unused$', '--timeline')).stdout).toBe(whole.stdout);
    const { exitCode, stderr } = await view('--timeline', 'out.json');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Expected true or false: write --timeline=false');
  });

  it('has text in lines of --max-line-length', async () => {
    const { stdout } = await view('out.json', '--task', '^bad$', '--max-line-length', '8');
    expect(stdout).toMatch(/I will\n +look\./);
    expect((await view('out.json', '--max-line-length', '-1')).exitCode).toBe(2);
  });

  it('is shown whole with limits of 0', async () => {
    const unlimited = ['--max-events', '0', '--max-output-lines', '0', '--max-line-length', '0'];
    const { stdout } = await view('out.json', '--task', '^long$', ...unlimited);
    expect(stdout.match(/number \d+$/gm)).toHaveLength(60);
    expect(stdout).not.toContain('more event');
  });

  it('counts each assertion that holds', async () => {
    const builder = new JournalBuilder();
    builder.add(started());
    for (const event of agentFinished()) builder.add(event);
    for (const name of ['toolsUsed', 'toolsNotUsed', 'toolsNotUsed'])
      builder.add(assertion({ name }));
    builder.add(ended());
    builder.add({ type: 'run-ended', durationMs: 1, calls: 0 });
    await suite.write('held.jsonl', builder.text);
    const { stdout } = await view('held.jsonl');
    expect(stdout).toContain('3 assertions hold: toolsUsed, toolsNotUsed (2)');
  });

  it('folds what is long, and says how much there is', async () => {
    const { stdout } = await view('out.json', '--task', '^good$', '--max-output-lines', '3');
    expect(stdout.match(/\| a line/g)).toHaveLength(3);
    expect(stdout).toContain('| … 17 more lines');
    const { stdout: whole } = await view(
      'out.json',
      '--task',
      '^good$',
      '--max-output-lines',
      '30',
    );
    expect(whole.match(/\| a line/g)).toHaveLength(20);
  });

  it('with many events tells the beginning and the end', async () => {
    const { stdout } = await view('out.json', '--task', 'long', '--max-events', '9');
    expect(stdout.match(/telling\.echo {2}ok {2}#\d+/g)).toEqual(
      [1, 2, 3, 57, 58, 59, 60].map((number) => `telling.echo  ok  #${number}`),
    );
    expect(stdout).toContain('53 more events: --max-events 62 shows them');
    const { stdout: whole } = await view('out.json', '--task', 'long', '--max-events', '62');
    expect(whole).toContain('#30');
    expect(whole).not.toContain('more events');
  });

  it('shows the assertion that does not hold, and the calls it points at', async () => {
    const { stdout } = await view('out.json', '--task', 'unused');
    expect(stdout).toMatch(/x {7}toolsNotUsed does not hold {2}tasks\/unused\.yaml:\d+/);
    expect(stdout).toContain('see calls #1, #2');
  });

  it('lets nothing of a server reach the terminal as a command', async () => {
    const env = { HOME: suite.folder, TMPDIR: suite.temporaryFolder, LANG: 'C.UTF-8' };
    const args = ['view', 'out.json', '--task', '^good$'];
    const text = await proctorInTerminal(args, { cwd: suite.folder, env });
    expect(text).toContain('␛[31mred␛[0m');
    expect(text).not.toContain('\u001b[31mred');
    expect(text).not.toContain('\u202e');
    // In colour, and as wide as the terminal.
    expect(text).toContain('\u001b[1mgood');
    expect(text).toContain('─'.repeat(120));
    expect(text).not.toContain('─'.repeat(121));
  });
});

describe('all task runs', () => {
  it('are listed, and those that did not pass are told', async () => {
    const { stdout } = await view('out.json');
    expect(stdout).toMatch(/^out\.json {2}eval suite, agent agent/);
    const list = stdout
      .slice(0, stdout.indexOf('.'.repeat(80)))
      .trimEnd()
      .split('\n');
    expect(list.map((line) => line.split(/ {2,}/)[1])).toEqual(
      expect.arrayContaining(['good', 'long', 'bad', 'unused']),
    );
    const stories = stdout.match(/^x \w+ {2}failed/gm);
    expect(stories).toHaveLength(3);
    expect(stdout).not.toContain('+ good  passed');
    expect(stdout).toContain('task runs that passed are left out');
  });

  it('that did not pass are told with --failed', async () => {
    const { stdout } = await view('out.json', '--failed');
    expect(stdout.match(/^. \w+ {2}(passed|failed)/gm)).toEqual([
      expect.stringContaining('bad'),
      expect.stringContaining('bad'),
      expect.stringContaining('unused'),
    ]);
  });

  it('that passed are named when --failed finds nothing', async () => {
    const { stdout, stderr, exitCode } = await view('out.json', '--failed', '--task', 'good|long');
    expect({ stderr, exitCode }).toEqual({ stderr: '2 task runs, and all passed\n', exitCode: 0 });
    expect(stdout).not.toContain('agent   passed');
  });

  it('given twice are told once', async () => {
    const { stdout } = await view('out.json', 'out.jsonl', '--task', 'unused');
    expect(stdout.match(/^x unused {2}failed/gm)).toHaveLength(1);
  });

  it('are told once where a file has one twice, which is said', async () => {
    const results = JSON.parse(await suite.read('out.json')) as { taskRuns: TaskRunRecord[] };
    const first = results.taskRuns.find(({ task }) => task === 'unused');
    results.taskRuns = [first, first].flatMap((taskRun) => taskRun ?? []);
    await suite.write('twice.json', JSON.stringify(results));
    const { exitCode, stdout, stderr } = await view('twice.json');
    expect(exitCode, stderr).toBe(0);
    expect(stdout.match(/^x unused {2}failed/gm)).toHaveLength(1);
    expect(stderr).toContain('taskRuns[1]: expected another task run, found run 1 of unused');
  });

  it('are data with -o json', async () => {
    const { stdout } = await view('out.json', '--task', 'bad', '-o', 'json');
    const records = JSON.parse(stdout) as TaskRunRecord[];
    const results = JSON.parse(await suite.read('out.json')) as { taskRuns: TaskRunRecord[] };
    expect(records).toEqual(results.taskRuns.filter(({ task }) => task === 'bad'));
    const { stdout: none } = await view('out.json', '--task', 'good', '--failed', '-o', 'json');
    expect(JSON.parse(none)).toEqual([]);
  });
});

describe('what cannot be shown', () => {
  it.each([
    [['nowhere.json'], 'nowhere.json does not exist'],
    [['out.json', '--task', 'zebra'], 'no task run matches'],
    [['out.json', '--task', '('], '--task: invalid pattern'],
    [['out.json', '--run', '0'], '--run: expected a whole number'],
    [['out.json', '--max-events', 'many'], '--max-events: expected a whole number'],
    [['eval.yaml'], 'eval.yaml'],
  ])('%j is refused', async (args, message) => {
    const { stderr, exitCode } = await view(...args);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });
});

describe('a journal of a check that still runs', () => {
  const fileOf = async (name: string, ...events: Parameters<JournalBuilder['add']>[0][]) => {
    const journal = new JournalBuilder({ taskRuns: 2 });
    for (const event of events) journal.add(event);
    await writeFile(path.join(suite.folder, name), journal.text);
  };

  it('tells what is over, and what is under way', async () => {
    const more = { taskRun: 'pet-1', task: 'pet' };
    await fileOf('running.jsonl', started(), ...agentFinished(), call(), ended(), started(more));
    const { stdout, exitCode } = await view('running.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'it is still running, or was killed; 1 task run under way: pet (run 1)',
    );
    expect(stdout).toContain('calls   pets.feed  ok  #1');
  });

  it('tells what there is so far of a task run that is asked for', async () => {
    const more = { taskRun: 'pet-1', task: 'pet' };
    const said = {
      type: 'agent-output',
      taskRun: 'pet-1',
      kind: 'message',
      text: 'Here, cat!',
    } as const;
    const begun = {
      type: 'phase-started',
      taskRun: 'pet-1',
      phase: 'agent',
      prompt: 'Pet it',
    } as const;
    const events = [
      started(),
      started(more),
      begun,
      said,
      call({ taskRun: 'pet-1', isError: true }),
    ];
    await fileOf('torn.jsonl', ...events, ended());
    const { stdout, exitCode } = await view('torn.jsonl', '--task', 'pet');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('- pet  under way\n  1 call, failed\n  asked: Pet it\n');
    expect(stdout).toContain('says    Here, cat!');
    expect(stdout).toContain('calls   pets.feed  error  #1');
    expect(stdout).not.toContain('feed  passed');
    const { stdout: json } = await view('torn.jsonl', '--task', 'pet', '-o', 'json');
    expect(JSON.parse(json)).toMatchObject([{ task: 'pet', outcome: null, durationMs: null }]);
    expect((await view('torn.jsonl', '--failed')).stderr).toContain('1 task run, and all passed');
  });

  it('takes no attempt for under way that a later one has replaced', async () => {
    const resumed = {
      type: 'run-resumed',
      ...{ proctor: '0.1.0', process: { pid: 2, startTime: '2' }, workspace: '/tmp/proctor-2' },
      missing: 1,
    } as const;
    await fileOf('resumed.jsonl', started(), resumed, started({ attempt: 2 }), call());
    const { stdout } = await view('resumed.jsonl', '--task', 'feed');
    expect(stdout.match(/under way\b.*attempt 2/g)).toHaveLength(1);
    expect(stdout.match(/^- feed/gm)).toHaveLength(1);
  });

  it('without a verdict tells what is under way, and without that says so', async () => {
    await fileOf('begun.jsonl', started());
    const begun = await view('begun.jsonl');
    expect(begun.exitCode).toBe(0);
    expect(begun.stdout).toContain('- feed  under way');
    await fileOf('new.jsonl');
    const { stderr, exitCode } = await view('new.jsonl');
    expect(stderr).toContain('there is no task run with a verdict');
    expect(exitCode).toBe(2);
  });
});

describe('arguments nested without end', () => {
  it('are told, and printed as data', async () => {
    const deep = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`;
    const results = JSON.parse(await suite.read('out.json')) as { taskRuns: TaskRunRecord[] };
    results.taskRuns = results.taskRuns.filter(({ task }) => task === 'good');
    const [first] = results.taskRuns[0]?.calls ?? [];
    if (first) first.args = 'DEEP';
    await suite.write('deep.json', JSON.stringify(results).replace('"DEEP"', deep));
    const { stdout } = await view('deep.json');
    expect(stdout).toContain('{"a":{"a":');
    const { stdout: json } = await view('deep.json', '-o', 'json');
    expect(json).toContain(deep);
  });
});

it('result convert makes CSV inert on a terminal', async () => {
  const results = JSON.parse(await suite.read('out.json'));
  for (const taskRun of results.taskRuns) taskRun.task = `${taskRun.task}\u001b]0;title\u0007`;
  await suite.write('escapes.json', JSON.stringify(results));
  const args = ['result', 'convert', 'csv', 'escapes.json'];
  const env = { HOME: suite.folder };
  const shown = await proctorInTerminal(args, { cwd: suite.folder, env });
  expect(shown).toContain('good\u241b]0;title');
  expect(shown).not.toContain('\u001b');
  expect((await suite.proctor(args)).stdout).toContain('\u001b]0;title');
});

it('result convert --task takes only some tasks', async () => {
  const convert = (...args: string[]) => suite.proctor(['result', 'convert', ...args]);
  const { stdout } = await convert('junit', 'out.json', '--task', '^bad$');
  expect(stdout.match(/<testcase /g)).toHaveLength(2);
  expect(stdout).toMatch(/<testsuites[^>]* tests="2"/);
  const csv = await convert('csv', 'out.json', '--task', 'good|long');
  expect(csv.stdout.trimEnd().split('\n')).toHaveLength(3);
  const markdown = await convert('markdown', 'out.json', '--task', 'good');
  expect(markdown.stdout).toContain('✅ 1 of 1 judged task run passed');
  const none = await convert('junit', 'out.json', '--task', 'nobody');
  expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  expect(none.stderr).toContain('--task: no task matches "nobody"');
});
