import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../src/analysis/summary/summary.js';
import { proctorInTerminal } from '../support/in-terminal.js';
import { ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, script, scripted } from '../support/suite-parts.js';

let suite: ScratchSuite;

/** Passes in its first run, and then in every other one. */
const everyOther = 'echo >> walked; test $(( $(wc -l < walked) % 2 )) = 1';

beforeAll(async () => {
  suite = await ScratchSuite.create({
    agent: scripted(callTelling('echo', { text: 'hi' }), { say: 'done' }),
    tasks: {
      bark: { spec: { verify: [script('exit 1')] }, difficulty: 'hard', labels: { area: 'noise' } },
      feed: { difficulty: 'easy', labels: { area: 'food' } },
      limp: { spec: { setup: [script('exit 1')] }, difficulty: 'hard', labels: { area: 'legs' } },
      walk: {
        spec: { verify: [script(everyOther)] },
        difficulty: 'easy',
        labels: { area: 'legs' },
      },
    },
    assertions: { toolsUsed: [{ server: 'telling', tool: 'echo' }], maxToolCalls: 3 },
  });
  const { exitCode } = await suite.check(['-n', '4']);
  expect(exitCode).toBe(1);
});

afterAll(() => suite.remove());

function summary(...args: string[]) {
  return suite.proctor(['summary', ...args]);
}

async function summaryData(...args: string[]): Promise<Summary> {
  const { exitCode, stdout, stderr } = await summary(...args, '-o', 'json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('proctor summary of a check', () => {
  it('counts what was judged, and counts errors apart', async () => {
    const { totals, tasks, unfinished } = await summaryData('out.json');
    expect(totals).toMatchObject({
      tasks: 4,
      tasksPassed: 1,
      taskRuns: 16,
      notRun: 0,
      outcomes: { passed: 6, failed: 6, timeout: 0, error: 4, cancelled: 0 },
      verified: 6,
      rate: { passed: 6, judged: 12, rate: 0.5 },
      assertions: { total: 24, passed: 24 },
      flaky: ['walk'],
    });
    expect(unfinished).toEqual([]);
    expect(tasks.map(({ task, rate, flaky }) => [task, rate.passed, rate.judged, flaky])).toEqual([
      ['bark', 0, 4, false],
      ['feed', 4, 4, false],
      ['limp', 0, 0, false],
      ['walk', 2, 4, true],
    ]);
  });

  it("gives a task Wilson's interval, and the whole a wider one: runs of a task are alike", async () => {
    const { totals, tasks } = await summaryData('out.json');
    const feed = tasks.find(({ task }) => task === 'feed');
    expect(feed?.rate).toMatchObject({ low: expect.closeTo(0.510109, 6), high: 1 });
    // Of 12 runs that have nothing to do with each other: 25.4 % to 74.6 %.
    expect(totals.rate.low).toBeLessThan(0.25);
    expect(totals.rate.high).toBeGreaterThan(0.75);
    expect(tasks.find(({ task }) => task === 'limp')?.rate).toEqual({
      passed: 0,
      judged: 0,
      rate: null,
      low: null,
      high: null,
    });
  });

  it('estimates what several runs promise', async () => {
    const { totals, tasks } = await summaryData('out.json');
    const walk = tasks.find(({ task }) => task === 'walk');
    expect(walk?.passWithK).toEqual([
      { k: 2, any: expect.closeTo(5 / 6, 12), all: expect.closeTo(1 / 6, 12) },
      { k: 3, any: 1, all: 0 },
      { k: 4, any: 1, all: 0 },
    ]);
    expect(totals.passWithK[0]).toMatchObject({
      k: 2,
      tasks: 3,
      any: expect.closeTo((0 + 1 + 5 / 6) / 3, 12),
      all: expect.closeTo((0 + 1 + 1 / 6) / 3, 12),
    });
  });

  it('sums up by difficulty and label', async () => {
    const { byDifficulty, byLabel } = await summaryData('out.json');
    expect(Object.keys(byDifficulty)).toEqual(['easy', 'hard']);
    expect(byDifficulty.easy).toMatchObject({ taskRuns: 8, rate: { passed: 6, judged: 8 } });
    expect(byLabel.area?.legs).toMatchObject({
      taskRuns: 8,
      outcomes: { passed: 2, failed: 2, error: 4 },
      rate: { passed: 2, judged: 4 },
    });
  });

  it('has amounts: calls, durations, tokens of what the server lists; not what is not reported', async () => {
    const { totals } = await summaryData('out.json');
    expect(totals.amounts).toMatchObject({
      calls: { tool: 12, resource: 0, prompt: 0, errors: 0 },
      usage: null,
      cost: null,
      judge: { usage: null, cost: null },
      untold: { usage: 12, cost: 12 },
    });
    expect(totals.amounts.durationMs?.p50).toBeGreaterThan(0);
    expect(totals.schemaTokens).toBeGreaterThan(0);
    expect(totals.schemaTokensOfRuns).toBe(16 * (totals.schemaTokens ?? 0));
    expect(totals.estimatedTokens).toBe(totals.amounts.calls.tokens);
  });

  it('says why tasks did not pass, and what to type next, which works', async () => {
    const { stdout } = await summary('out.json');
    expect(stdout).toMatch(/verification-failed: .* {2}runs 1, 2, 3, 4/);
    expect(stdout).toMatch(/setup-failed: /);
    expect(stdout).toMatch(/flaky +walk \(\d of \d passed\)/);
    const [, command = ''] =
      /proctor (view out\.json --task '\^walk\$' --run 2)/.exec(stdout) ?? [];
    const view = await suite.proctor(command.replaceAll("'", '').split(' '));
    expect(view.exitCode).toBe(0);
    expect(view.stdout).toContain('walk');
    expect(view.stdout).not.toContain('bark');
  });

  it('is also a part of `proctor result`', async () => {
    const { stdout } = await suite.proctor(['result', 'summary', 'out.json']);
    expect(stdout).toBe((await summary('out.json')).stdout);
  });

  it('reads the journal alike, and counts a task run once that both tell', async () => {
    const ofResults = await summaryData('out.json');
    const ofJournal = await summaryData('out.jsonl');
    expect(ofJournal).toEqual({
      ...ofResults,
      sources: [{ ...ofResults.sources[0], path: 'out.jsonl', kind: 'journal' }],
      tasks: JSON.parse(JSON.stringify(ofResults.tasks).replaceAll('out.json', 'out.jsonl')),
    });
    const ofBoth = await summaryData('out.json', 'out.jsonl');
    expect(ofBoth.totals).toEqual(ofResults.totals);
    expect(ofBoth.unfinished).toEqual([]);
  });

  it('takes only the tasks that --task matches', async () => {
    const { tasks, totals } = await summaryData('out.json', '--task', '^(feed|walk)$');
    expect(tasks.map(({ task }) => task)).toEqual(['feed', 'walk']);
    expect(totals.rate).toMatchObject({ passed: 6, judged: 8 });
  });

  it('refuses a selection that leaves nothing, and names the tasks', async () => {
    const { exitCode, stdout, stderr } = await summary('out.json', '--task', 'swim');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('no task matches "swim"');
    expect(stderr).toContain('tasks are: bark, feed, limp, walk');
  });

  it.each([
    [['--task', '('], 'invalid pattern'],
    [['-o', 'yaml'], 'Allowed choices are text, json, markdown'],
    [['nowhere.json'], 'nowhere.json does not exist'],
    [['eval.yaml'], 'eval.yaml holds no results'],
  ])('refuses %j', async (args, reason) => {
    const { exitCode, stdout, stderr } = await summary('out.json', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });

  it('fits the table to the terminal', async () => {
    const env = { HOME: suite.folder, TMPDIR: suite.temporaryFolder };
    const shown = await proctorInTerminal(['summary', 'out.json'], { cwd: suite.folder, env });
    const colors = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
    expect(shown).toMatch(colors);
    const [head = ''] = shown.replace(colors, '').split('\r\n');
    expect(head).toMatch(/^task +outcome +passed +rate +95% interval +not judged +p50 +calls$/);
  });
});

describe('a check without an agent', () => {
  it('calls it good in its own report that a task fails', async () => {
    const args = ['check', 'eval.yaml', '--control', '--out', 'control.json', '-r', 'bark|feed'];
    await suite.proctor([...args, '--reporter', 'markdown=control.md']);
    const markdown = await suite.read('control.md');
    expect(markdown).toContain('✅ 2 of 2 task runs failed without an agent, as they should');
    expect(markdown).toContain('| `bark` | ✅ ok, fails without an agent |');
  });
});

describe('a check that did not come to its end', () => {
  it('says so on top, in every format', async () => {
    const journal = (await suite.read('out.jsonl')).split('\n');
    const ends = journal.flatMap((line, index) =>
      line.includes('"task-run-ended"') ? [index] : [],
    );
    // A torn line, as it is left by a check that was killed.
    await suite.write(
      'killed.jsonl',
      journal
        .slice(0, (ends[4] ?? 0) + 3)
        .join('\n')
        .slice(0, -5),
    );
    const sentence =
      'unfinished: 5 of 16 task runs have a verdict (killed.jsonl: killed, or still running)';
    const { exitCode, stdout } = await summary('killed.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')[0]).toBe(`note: ${sentence}`);
    expect((await summary('killed.jsonl', '-o', 'markdown')).stdout).toContain(sentence);
    const { unfinished, totals } = await summaryData('killed.jsonl');
    expect(unfinished).toEqual([{ path: 'killed.jsonl', why: 'running', done: 5, planned: 16 }]);
    expect(totals.notRun).toBe(11);
  });

  it('says so of --bail', async () => {
    await suite.proctor(['check', 'eval.yaml', '--out', 'bailed.json', '--bail=1']);
    const { unfinished } = await summaryData('bailed.json');
    expect(unfinished).toEqual([{ path: 'bailed.json', why: 'bailed', done: 1, planned: 4 }]);
  });
});
