import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeResults } from '../../src/results/write/write-results.js';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../testing/journals.js';
import { fixtures, proctor } from '../support/cli.js';

const suite = path.join(fixtures, 'mcpchecker-results');
const evalFile = path.join(suite, 'eval.yaml');

let folder = '';
let foreign: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('homeFolder'), 'odd-results-'));
  foreign = (await readdir(suite))
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(suite, name));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => path.join(folder, name);

async function jsonFrom(...words: string[]) {
  const { exitCode, stdout, stderr } = await proctor([...words, '-o', 'json'], { cwd: folder });
  return { exitCode, stderr, data: JSON.parse(stdout) };
}

/** Places of what was left out, as `-o json` has them. */
function placesOf(data: { leftOut: { parts: { place: string }[] }[] }): string[] {
  return data.leftOut.flatMap(({ parts }) => parts.map(({ place }) => place));
}

describe('results in the shapes that mcpchecker has written over time', () => {
  it('are twelve, with steps of which nothing is known', async () => {
    const texts = await Promise.all(foreign.map((file) => readFile(file, 'utf8')));
    expect(texts).toHaveLength(12);
    const isNull = /"Steps": \[[^\]]*null/;
    expect(texts.filter((text) => isNull.test(text))).toHaveLength(8);
  });

  it('are summed up with nothing left out', async () => {
    const { exitCode, stderr, data } = await jsonFrom('summary', ...foreign);
    expect({ exitCode, stderr, leftOut: data.leftOut }).toEqual({
      exitCode: 0,
      stderr: '',
      leftOut: [],
    });
    expect(data.totals.outcomes).toEqual({
      passed: 12,
      failed: 10,
      timeout: 1,
      error: 3,
      cancelled: 0,
    });
  });

  it.each([
    ['view', (files: string[]) => ['view', ...files]],
    ['report', (files: string[]) => ['report', ...files, '--pool', '--out', at('all.html')]],
    ['diff', (files: string[]) => ['diff', '--base', ...files, '--current', ...files]],
    ['convert junit', (files: string[]) => ['result', 'convert', 'junit', ...files]],
    ['convert mcpchecker', (files: string[]) => ['result', 'convert', 'mcpchecker', ...files]],
    ['merge', (files: string[]) => ['result', 'merge', ...files, '--force', '--out', at('m.json')]],
  ])('are read by %s', async (_, command) => {
    const files = command([])[0] === 'diff' ? foreign.slice(3, 4) : foreign;
    const { exitCode, stderr } = await proctor(command(files), { cwd: folder });
    expect(stderr).not.toMatch(/left out|damaged/);
    expect(exitCode, stderr).toBe(0);
  });

  it('have a step of which nothing is known', async () => {
    const [file = ''] = foreign.filter((each) => each.includes('04-'));
    const { stdout } = await proctor(['view', file, '--task', 'adopt-a-cat']);
    expect(stdout).toContain('the results have nothing about this step');
    expect(stdout).toContain('setup-failed: setup failed: script not found');
  });

  it('are rechecked to the verdicts that were recorded', async () => {
    const changes: unknown[] = [];
    let assertions = 0;
    for (const file of foreign) {
      const { data } = await jsonFrom('recheck', file, '--eval', evalFile);
      changes.push(...data.changed);
      assertions += data.taskRuns.flatMap(
        (each: { assertions: unknown[] }) => each.assertions,
      ).length;
    }
    expect(changes).toEqual([]);
    expect(assertions).toBe(88);
  });
});

describe('results of mcpchecker with odd entries', () => {
  const tool = (more: object) => ({
    serverName: 'pets',
    name: 'feed',
    success: true,
    timestamp: '2026-03-02T10:00:00Z',
    request: { Params: { arguments: {} } },
    ...more,
  });
  const entry = (name: string, more: object = {}) => ({
    taskName: name,
    taskPassed: true,
    allAssertionsPassed: true,
    assertionResults: { toolsUsed: { passed: true } },
    callHistory: { ToolCalls: [tool({})], ResourceReads: null, PromptGets: null },
    ...more,
  });
  const history = (ToolCalls: unknown[], ResourceReads: unknown = null) => ({
    callHistory: { ToolCalls, ResourceReads, PromptGets: null },
  });

  /** What is odd, where, and the verdict that is left. */
  const odd: [object | null, string, 'passed' | 'error' | undefined][] = [
    [null, '', undefined],
    [{ taskName: 7 }, '.taskName', undefined],
    [history([null]), '.callHistory.ToolCalls[0]', 'passed'],
    [history([], [null]), '.callHistory.ResourceReads[0]', 'passed'],
    [history([tool({ request: 'raw' })]), '.callHistory.ToolCalls[0].request', 'passed'],
    [
      history([tool({ request: { Params: [] } })]),
      '.callHistory.ToolCalls[0].request.Params',
      'passed',
    ],
    [history([tool({ serverName: undefined })]), '.callHistory.ToolCalls[0].serverName', 'passed'],
    [history([tool({ timestamp: 17 })]), '.callHistory.ToolCalls[0].timestamp', 'passed'],
    [history([tool({ success: 'true' })]), '.callHistory.ToolCalls[0].success', 'passed'],
    [{ callHistory: [] }, '.callHistory', 'passed'],
    [
      { agentOutput: { agentDetails: { outputSteps: [null] } } },
      '.agentOutput.agentDetails.outputSteps[0]',
      'passed',
    ],
    [
      { setupOutput: { Steps: [{ success: true, outputs: { n: 3 } }] } },
      '.setupOutput.Steps[0].outputs.n',
      'passed',
    ],
    [{ tokenEstimate: { inputTokens: '5' } }, '.tokenEstimate.inputTokens', 'passed'],
    [{ taskJudgeReason: 3 }, '.taskJudgeReason', 'passed'],
    [
      { assertionResults: { toolsUsed: { passed: null } } },
      '.assertionResults.toolsUsed.passed',
      'passed',
    ],
    [{ taskPassed: 'true' }, '.taskPassed', 'error'],
    [{ taskPassed: null }, '.taskPassed', 'error'],
    [{ allAssertionsPassed: 1, assertionResults: 2 }, '.allAssertionsPassed', 'error'],
    [{ timedOut: true }, '.taskPassed', 'error'],
    [{ agentExecutionError: true }, '.taskPassed', 'error'],
    [{ verifyOutput: { Success: false, Steps: [] } }, '.taskPassed', 'error'],
  ];

  it('lose these, and nothing else: each is named with its place', async () => {
    const results = [
      entry('fine'),
      ...odd.map(([more], index) => (more === null ? null : entry(`odd-${index}`, more))),
    ];
    const summary = { agent: 'claude-code', mcpServers: ['pets'] };
    await writeFile(at('odd.json'), JSON.stringify({ summary, results }));
    const { exitCode, stderr, data } = await jsonFrom('summary', 'odd.json');
    expect(exitCode).toBe(0);
    const places = odd.map(([, place], index) => `results[${index + 1}]${place}`);
    expect(data.leftOut[0].count).toBe(places.length + 3);
    expect(placesOf(data)).toEqual(
      ['summary.agent', 'summary.mcpServers[0]', ...places].slice(0, 20),
    );
    const outcomes = odd.map(([, , outcome]) => outcome);
    expect(data.totals.outcomes).toMatchObject({
      passed: 1 + outcomes.filter((each) => each === 'passed').length,
      error: outcomes.filter((each) => each === 'error').length,
      failed: 0,
    });
    expect(stderr).toContain(
      'warning odd.json: 24 parts left out\n  summary.agent: expected an object, found "claude-code"\n',
    );
    expect(stderr).toContain('\n  and 19 more\n');
  });

  it('say what a report, merged results and verify leave out', async () => {
    await writeFile(
      at('some.json'),
      JSON.stringify([entry('fine'), null, entry('b', { taskPassed: 1 })]),
    );
    const lines = [
      'warning some.json: 2 parts left out',
      '  [1]: expected an object, found null',
      '  [2].taskPassed: expected true or false, found 1',
    ];
    const verified = await proctor(['verify', 'some.json', '--task', '0.9'], { cwd: folder });
    expect(verified.stderr.trimEnd().split('\n')).toEqual(lines);
    expect(verified.stdout).toContain('1 task run could not be judged');
    const merged = await proctor(['result', 'merge', 'some.json', '--out', 'merged.json'], {
      cwd: folder,
    });
    expect(merged.stderr.trimEnd().split('\n')).toEqual(lines);
    const { leftOut } = JSON.parse(await readFile(at('merged.json'), 'utf8'));
    expect(leftOut.count).toBe(2);
    const report = await proctor(['report', 'merged.json'], { cwd: folder });
    expect(report.stderr).toContain('warning merged.json: 2 parts left out');
    const rechecked = await jsonFrom(
      'recheck',
      path.join(suite, '01-bare-list.json'),
      '--eval',
      evalFile,
    );
    expect(rechecked.data.leftOut).toEqual([]);
  });

  it('are unfinished without an entry: it may be the one that failed', async () => {
    const failed = entry('c', { taskName: 5, taskPassed: false });
    await writeFile(at('lost.json'), JSON.stringify([entry('a'), entry('b'), failed]));
    await proctor(['result', 'merge', 'lost.json', '--out', 'lost-merged.json'], { cwd: folder });
    for (const file of ['lost.json', 'lost-merged.json']) {
      const words = ['verify', file, '--task', '0.9'];
      const { exitCode, stdout } = await proctor(words, { cwd: folder });
      expect(exitCode).toBe(1);
      expect(stdout).toContain(
        `unfinished: 2 of 3 task runs have a verdict (${file}: the rest is missing)`,
      );
    }
    const allowed = ['verify', 'lost.json', '--task', '0.9', '--allow-unfinished'];
    expect((await proctor(allowed, { cwd: folder })).exitCode).toBe(0);
  });

  it.each([
    ['is not there', { allAssertionsPassed: undefined, assertionResults: null }],
    ['is odd', { allAssertionsPassed: null, assertionResults: null }],
    ['contradicts itself', { verifyOutput: { Success: false, Steps: [] } }],
  ])('are unfinished where a verdict %s: it may be that of a failure', async (_, change) => {
    const results = [entry('a'), entry('b'), entry('c', change)];
    await writeFile(at('unclear.json'), JSON.stringify({ summary: {}, results }));
    const words = ['verify', 'unclear.json', '--task', '0.9'];
    const { exitCode, stdout } = await proctor(words, { cwd: folder });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'unfinished: 2 of 3 task runs have a verdict (unclear.json: the rest has no verdict that can be read)',
    );
    const allowed = await proctor([...words, '--allow-unfinished'], { cwd: folder });
    expect(allowed.exitCode).toBe(0);
  });

  it('that are cut off are read up to there, and unfinished', async () => {
    const text = JSON.stringify({ summary: {}, results: [entry('a'), entry('b'), entry('c')] });
    await writeFile(at('cut.json'), text.slice(0, -20));
    const { exitCode, stderr, data } = await jsonFrom('summary', 'cut.json');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/\n {2}after results\[1\]: expected JSON, found it ends too early/);
    expect(data.totals.outcomes).toMatchObject({ passed: 2 });
    const words = ['verify', 'cut.json', '--task', '0.9'];
    expect((await proctor(words, { cwd: folder })).exitCode).toBe(1);
    const converted = await proctor(['result', 'convert', 'csv', 'cut.json'], { cwd: folder });
    expect(converted.stdout.trim().split('\n')).toHaveLength(3);
    expect(converted.stderr).toContain('1 part left out');
  });

  it('are a run without tasks where Go wrote null for the list', async () => {
    await writeFile(at('none.json'), JSON.stringify({ summary: {}, results: null }));
    const { exitCode, data } = await jsonFrom('summary', 'none.json');
    expect(exitCode).toBe(0);
    expect(data.totals.taskRuns).toBe(0);
    expect(
      (await proctor(['verify', 'none.json', '--task', '0.1'], { cwd: folder })).exitCode,
    ).toBe(1);
  });

  it('are not rechecked where a call is missing, so that a failure cannot become a pass', async () => {
    const file = path.join(suite, '07-several-runs.json');
    const recorded = JSON.parse(await readFile(file, 'utf8'));
    // The second of two equal calls: noDuplicateCalls would hold without it.
    recorded.results[2].callHistory.ToolCalls[1].serverName = null;
    await writeFile(at('lost-call.json'), JSON.stringify(recorded));
    const { exitCode, data } = await jsonFrom('recheck', 'lost-call.json', '--eval', evalFile);
    expect(exitCode).toBe(1);
    expect(data.taskRuns[2]).toMatchObject({
      unfinished: 'a part of its record was left out',
      assertions: [],
    });
  });
});

/** Of a check of two tasks: one passed, one failed. */
function journal(): JournalBuilder {
  const builder = new JournalBuilder({ taskRuns: 2 });
  builder.add(started());
  for (const event of agentFinished()) builder.add(event);
  builder.add(call());
  builder.add(assertion());
  builder.add(ended({ verified: true }));
  builder.add(started({ taskRun: 'b-1', task: 'b' }));
  const failure = { category: 'verification-failed', message: 'exit 1', evidence: 3 } as const;
  const verdict = { outcome: 'failed', verified: false, assertionsHeld: null, failure } as const;
  builder.add(ended({ taskRun: 'b-1', task: 'b', ...verdict }));
  builder.add({ type: 'run-ended', durationMs: 10, calls: 1 });
  return builder;
}

async function ownResults(change: (results: ReturnType<typeof JSON.parse>) => void): Promise<void> {
  await writeFile(at('own.jsonl'), journal().text);
  await writeResults(at('own.jsonl'), at('own.json'));
  const results = JSON.parse(await readFile(at('own.json'), 'utf8'));
  change(results);
  await writeFile(at('own.json'), JSON.stringify(results));
}

describe('our own results', () => {
  const noPhases = { setup: null, agent: null, verify: null, cleanup: null };

  it.each([
    ['assertionsHeld: false', { assertionsHeld: false }],
    ['a failure', { failure: { category: 'timeout', message: 'x', evidence: 1 } }],
    [
      'the outcome failed of verify',
      { phases: { ...noPhases, verify: { outcome: 'failed', durationMs: 1, steps: [] } } },
    ],
    ['nothing that was checked', { verified: null, assertionsHeld: null, assertions: [] }],
  ])('that say passed beside %s contradict themselves: no pass', async (what, change) => {
    await ownResults(({ taskRuns }) => {
      taskRuns.splice(1, 1);
      Object.assign(taskRuns[0], change);
    });
    const words = ['verify', 'own.json', '--task', '0.9', '--allow-unfinished'];
    const { exitCode, stdout, stderr } = await proctor(words, { cwd: folder });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `taskRuns[0].outcome: expected a record that does not contradict itself, found "passed" beside ${what}`,
    );
    expect(stdout).toContain('nothing was judged');
  });

  it('with values of a later version are read, and the values named', async () => {
    await ownResults(({ taskRuns: [passed, failed] }) => {
      passed.outcome = 'skipped';
      passed.phases.agent.steps = [{ seq: 4, kind: 'plan', text: 'x' }];
      passed.calls[0].kind = 'sampling';
      passed.later = { member: true };
      failed.failure.category = 'bored';
    });
    const { exitCode, stderr, data } = await jsonFrom('summary', 'own.json');
    expect(exitCode).toBe(0);
    expect(data.totals.outcomes).toMatchObject({ passed: 0, failed: 1, error: 1 });
    expect(stderr).toContain(
      'taskRuns[0].outcome: expected one of passed, failed, timeout, error, cancelled, found "skipped"',
    );
    expect(stderr).toMatch(/taskRuns\[0\]\.phases\.agent\.steps\[0\]\.kind: .* found "plan"/);
    expect(stderr).toMatch(/taskRuns\[0\]\.calls\[0\]\.kind: .* found "sampling"/);
    expect(stderr).toMatch(/taskRuns\[1\]\.failure\.category: .* found "bored"/);
    const { stdout } = await proctor(['view', 'own.json', '--task', 'b'], { cwd: folder });
    expect(stdout).toContain('unknown: exit 1');
  });

  it('with odd durations and without a list of task runs are read, and say so', async () => {
    await ownResults(({ taskRuns: [one, other] }) => {
      one.durationMs = -5;
      other.durationMs = 1e308;
    });
    const { stderr, data } = await jsonFrom('summary', 'own.json');
    expect(placesOf(data)).toEqual(['taskRuns[0].durationMs', 'taskRuns[1].durationMs']);
    expect(stderr).toContain('expected a number of at least 0, found -5');
    expect(data.totals.amounts.durationMs).toBeNull();
    await ownResults((results) => {
      results.taskRuns = {};
    });
    const none = await proctor(['summary', 'own.json'], { cwd: folder });
    expect(none.stderr).toContain('taskRuns: expected a list, found {}');
    expect(none.stdout).toContain('unfinished: 0 of 2 task runs have a verdict');
  });
});

describe('a damaged journal', () => {
  const lines = journal().text.trimEnd().split('\n');
  const endOfB = lines.findLastIndex((line) => line.includes('"task-run-ended"'));

  it.each([
    ['an empty line', ''],
    ['NUL bytes', '\0'.repeat(512)],
    ['a torn line', lines[4]?.slice(0, 20) ?? ''],
    ['an event of a later version', '{"seq":5,"at":"","type":"of-tomorrow"}'],
  ])('with %s is read before and after it', async (_, damage) => {
    await writeFile(at('damaged.jsonl'), `${lines.with(4, damage).join('\n')}\n`);
    const { exitCode, stderr, data } = await jsonFrom('summary', 'damaged.jsonl');
    expect(exitCode).toBe(0);
    expect(data.totals).toMatchObject({ taskRuns: 2, outcomes: { passed: 1, failed: 1 } });
    expect(stderr).toContain('warning damaged.jsonl: 1 part left out\n  line 5: expected');
  });

  it('with NUL bytes before an event is read with that event', async () => {
    const afterPowerCut = lines.with(endOfB, `${'\0'.repeat(512)}${lines[endOfB]}`);
    await writeFile(at('damaged.jsonl'), `${afterPowerCut.join('\n')}\n`);
    const { stderr, data } = await jsonFrom('summary', 'damaged.jsonl');
    expect(data.totals).toMatchObject({ taskRuns: 2, outcomes: { passed: 1, failed: 1 } });
    expect(stderr).toContain(`line ${endOfB + 1}: expected an event, found NUL bytes`);
  });

  it('with a line that is lost is read, and says so', async () => {
    await writeFile(at('lost.jsonl'), `${lines.toSpliced(4, 1).join('\n')}\n`);
    const { stderr, data } = await jsonFrom('summary', 'lost.jsonl');
    expect(data.totals.outcomes).toMatchObject({ passed: 1, failed: 1 });
    expect(stderr).toContain('line 5: expected seq 5, found seq 6');
  });

  it('that lost the end of a task run is unfinished, and passes nothing', async () => {
    const endOfA = lines.findIndex((line) => line.includes('"task-run-ended"'));
    await writeFile(at('lost.jsonl'), `${lines.with(endOfA, '\0').join('\n')}\n`);
    const { stdout } = await proctor(['summary', 'lost.jsonl'], { cwd: folder });
    expect(stdout).toContain('unfinished: 1 of 2 task runs have a verdict');
    const { exitCode } = await proctor(['verify', 'lost.jsonl', '--task', '0.1'], { cwd: folder });
    expect(exitCode).toBe(1);
    expect(endOfB).toBeGreaterThan(endOfA);
  });

  it('that begins with a byte order mark is read like any other', async () => {
    await writeFile(at('mark.jsonl'), `\ufeff${lines.join('\n')}\n`);
    const { exitCode, stderr, data } = await jsonFrom('summary', 'mark.jsonl');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(data.totals.taskRuns).toBe(2);
  });

  it('without its first line tells its task runs, and that it is unfinished', async () => {
    await writeFile(at('headless.jsonl'), `${lines.with(0, 'garbage').join('\n')}\n`);
    const { stderr, data } = await jsonFrom('summary', 'headless.jsonl');
    expect(stderr).toContain('line 1: expected an event, found "garbage"');
    expect(data.totals.outcomes).toMatchObject({ passed: 1, failed: 1 });
    expect(data.unfinished).toHaveLength(1);
  });
});
