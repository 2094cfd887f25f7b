import { afterAll, beforeAll, expect, it } from 'vitest';
import { describePassRate, formatPercent } from '../../src/analysis/figure-text.js';
import type { Summary } from '../../src/analysis/summary/summary.js';
import type { Verification } from '../../src/analysis/thresholds/thresholds.js';
import { getOverview } from '../../src/report-ui/overview/overview.js';
import { wholeView } from '../../src/report-ui/overview/view.js';
import { ReportContent } from '../support/report-content.js';
import { ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, script, scripted } from '../support/suite-parts.js';

/** Passes or not by how often it ran before: the numbers of the runs in which it does not. */
function notIn(file: string, ...runs: number[]) {
  const count = `n=$(cat ${file} 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${file}`;
  return script(`${count}; case $n in ${runs.join('|')}) exit 1;; esac`);
}

const agentFile = (name: string, ...actions: object[]) =>
  JSON.stringify({ kind: 'Agent', metadata: { name }, ...scripted(...actions) });

let suite: ScratchSuite;
/** What checks said, by the results that they wrote. */
const said = new Map<string, string>();

async function check(out: string, ...args: string[]): Promise<void> {
  const { stdout, stderr } = await suite.proctor(['check', 'eval.yaml', '--out', out, ...args]);
  expect(stdout + stderr).toContain('Totals');
  said.set(out, stdout + stderr);
}

beforeAll(async () => {
  suite = await ScratchSuite.create({
    tasks: {
      feed: { difficulty: 'easy' },
      walk: { spec: { verify: [notIn('walks', 2, 3, 6, 9)] } },
      wash: { runs: 2, spec: { setup: [notIn('washes', 3, 8)], verify: [script('true')] } },
    },
    assertions: { maxToolCalls: 3 },
    files: {
      'one.yaml': agentFile('one', callTelling('echo', { text: 'hi' }), { say: 'hi' }),
      'two.yaml': agentFile('two', { say: 'no' }),
    },
  });
});

beforeAll(async () => {
  await check('matrix.json', '--agent', 'one.yaml', '--agent', 'two.yaml', '--runs', '2');
});

beforeAll(async () => {
  // A number of runs for each task: walk and feed have one, wash has two.
  await check('unequal.json', '--agent', 'one.yaml');
});

beforeAll(async () => {
  await check('more.json', '--agent', 'one.yaml', '--runs', '3');
});

beforeAll(async () => {
  await check('again.json', '--agent', 'one.yaml', '--runs', '3', '--rerun-failed', 'more.json');
  const merge = ['result', 'merge', 'more.json', 'unequal.json', '--out', 'merged.json'];
  expect(await suite.proctor(merge)).toMatchObject({ exitCode: 0 });
});

afterAll(() => suite.remove());

it.each([
  { files: ['matrix.json'] },
  { files: ['unequal.json'] },
  { files: ['more.json'] },
  { files: ['again.json'] },
  { files: ['more.json', 'again.json'] },
  { files: ['more.jsonl', 'unequal.json'] },
  { files: ['merged.json'] },
])('$files have the same rate, interval and counts everywhere', async ({ files }) => {
  const json = await suite.proctor(['summary', ...files, '-o', 'json']);
  const { totals, byVariant }: Summary = JSON.parse(json.stdout);
  const { rate } = totals;
  expect(rate.judged).toBeGreaterThan(0);
  const sentence = describePassRate(rate);
  const tasks = `${totals.tasksPassed} of ${totals.tasks} passed in every run`;

  const { stdout: text } = await suite.proctor(['summary', ...files]);
  expect(text.replace(/ +/g, ' ')).toContain(`pass rate ${sentence}`);
  expect(text).toMatch(new RegExp(`tasks +${tasks}`));

  const { stdout: markdown } = await suite.proctor(['summary', ...files, '-o', 'markdown']);
  expect(markdown).toContain(`pass rate: ${sentence}`);
  expect(markdown).toContain(`tasks: ${tasks}`);
  expect(markdown).toContain(`${rate.passed} of ${rate.judged} judged task run`);

  const { stdout: github } = await suite.proctor(['summary', ...files, '--github-output']);
  const outputs = Object.fromEntries(github.split('\n').map((line) => line.split('=')));
  expect(outputs).toMatchObject({
    'pass-rate': (rate.rate ?? 0).toFixed(4),
    'pass-rate-low': (rate.low ?? 0).toFixed(4),
    'pass-rate-high': (rate.high ?? 0).toFixed(4),
    'task-runs': String(totals.taskRuns),
    'task-runs-judged': String(rate.judged),
    'task-runs-passed': String(rate.passed),
    tasks: String(totals.tasks),
    'tasks-passed-every-run': String(totals.tasksPassed),
    'tool-definition-tokens': String(totals.schemaTokens),
  });

  // A threshold is held against each variant on its own.
  const parts = Object.keys(byVariant).length > 0 ? Object.values(byVariant) : [{ rate }];
  const verified = await suite.proctor(['verify', ...files, '--task', '0.01', '-o', 'json']);
  const { thresholds }: Verification = JSON.parse(verified.stdout);
  const ofTasks = thresholds.filter(({ option }) => option === '--task');
  expect(ofTasks.map(({ found }) => found)).toEqual(parts.map((part) => part.rate.rate));
  const shown = await suite.proctor(['verify', ...files, '--task', '0.01']);
  for (const part of parts)
    expect(shown.stdout).toContain(`pass rate ${formatPercent(part.rate.rate ?? 0)},`);

  await suite.proctor(['report', ...files, '--pool', '--out', 'report.html']);
  const { index } = await ReportContent.of(suite.path('report.html'));
  const page = getOverview(index).totals(wholeView);
  expect(page).toMatchObject({
    ...rate,
    count: totals.taskRuns,
    outcomes: totals.outcomes,
    rated: { tasks: totals.tasks, tasksPassed: totals.tasksPassed },
    passWithK: totals.passWithK,
    durations: { p50: totals.amounts.durationMs?.p50, p95: totals.amounts.durationMs?.p95 },
  });

  const [only = ''] = files;
  const closing = files.length === 1 ? said.get(only) : undefined;
  if (closing !== undefined) {
    expect(closing).toContain(sentence);
    expect(closing).toMatch(new RegExp(`tasks +${tasks}`));
  }
});

it('counts a task of a matrix once, where a check ends and in its summary', async () => {
  expect(said.get('matrix.json')).toMatch(/tasks +1 of 3 passed in every run/);
});

it('says nothing of k runs that it does not say of the same tasks with fewer', async () => {
  let seen = 0;
  for (const file of ['matrix.json', 'merged.json', 'more.json']) {
    const { stdout } = await suite.proctor(['summary', file, '-o', 'json']);
    const { passWithK } = (JSON.parse(stdout) as Summary).totals;
    // A task with a single judged run leaves nothing to say.
    seen += passWithK.length;
    expect(new Set(passWithK.map(({ tasks }) => tasks)).size).toBeLessThanOrEqual(1);
    const falling = passWithK.map(({ all }) => all);
    expect(falling).toEqual(falling.toSorted((one, other) => other - one));
    for (const { k, all } of passWithK) {
      if (file === 'matrix.json') continue;
      const verified = await suite.proctor([
        'verify',
        file,
        '--pass-hat-k',
        `${k}=0.01`,
        '-o',
        'json',
      ]);
      const [threshold] = (JSON.parse(verified.stdout) as Verification).thresholds;
      expect(threshold?.found).toBe(all);
    }
  }
  expect(seen).toBeGreaterThan(0);
});
