import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VariantComparison } from '../../src/analysis/compare/variant-comparison.js';
import type { ResultsDiff } from '../../src/analysis/diff/results-diff.js';
import type { Summary } from '../../src/analysis/summary/summary.js';
import type { ToolsReport } from '../../src/analysis/tools/tool-usage.js';
import { formatHeadline } from '../../src/report-ui/compare/comparison-text.js';
import type { TaskRunRecord } from '../../src/results/task-run-record.js';
import { ReportContent } from '../support/report-content.js';
import { ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, scripted } from '../support/suite-parts.js';

let suite: ScratchSuite;

const agentFile = (name: string, agent: object) =>
  JSON.stringify({ kind: 'Agent', metadata: { name }, ...agent });

beforeAll(async () => {
  suite = await ScratchSuite.create({
    tasks: { feed: { parallel: true, runs: 5 }, walk: { parallel: true, runs: 5 } },
    assertions: { minToolCalls: 1 },
    files: {
      'good.yaml': agentFile('good', scripted(callTelling('echo', { text: 'hi' }), { say: 'hi' })),
      'idle.yaml': agentFile('idle', scripted({ say: 'no' })),
    },
  });
  await suite.check(['--agent', 'good.yaml', '--agent', 'idle.yaml']);
});

beforeAll(async () => {
  const single = ['check', 'eval.yaml', '--agent', 'good.yaml', '--out', 'good.json'];
  expect((await suite.proctor(single)).exitCode).toBe(0);
});

afterAll(() => suite.remove());

async function dataOf<Data>(...args: string[]): Promise<Data> {
  const { stdout, stderr } = await suite.proctor([...args, '-o', 'json']);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Data;
}

describe('results of a matrix', () => {
  it('are summed up by task and variant, and by variant', async () => {
    const { tasks, byVariant, totals } = await dataOf<Summary>('summary', 'out.json');
    expect(tasks.map(({ task, variant, rate }) => [task, variant, rate.passed])).toEqual([
      ['feed', 'good', 5],
      ['feed', 'idle', 0],
      ['walk', 'good', 5],
      ['walk', 'idle', 0],
    ]);
    expect(byVariant).toMatchObject({
      good: { taskRuns: 10, rate: { passed: 10 }, amounts: { calls: { tool: 10 } } },
      idle: { taskRuns: 10, rate: { passed: 0 }, amounts: { calls: { tool: 0 } } },
    });
    expect(totals).toMatchObject({ tasks: 2, tasksPassed: 0, taskRuns: 20 });
  });

  it.each([
    ['text', ['By variant', 'feed [idle]', "--variant '^idle$'"]],
    ['markdown', ['### By variant', '`feed [idle]`', '| `feed` | `good` |']],
  ])('name the variants as %s', async (format, expected) => {
    const { stdout } = await suite.proctor(['summary', 'out.json', '-o', format]);
    for (const text of expected) expect(stdout).toContain(text);
  });

  it.each([
    ['summary', ['out.json']],
    ['view', ['out.jsonl']],
    ['verify', ['out.json', '--task', '0.5']],
    ['diff', ['--base', 'out.json', '--current', 'out.json']],
    ['result tools', ['out.json']],
    ['result convert', ['csv', 'out.json']],
  ])('%s refuses a variant that there is not, and names those there are', async (name, args) => {
    const call = [...name.split(' '), ...args, '--variant', 'claude'];
    const { exitCode, stdout, stderr } = await suite.proctor(call);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: --variant: no variant matches "claude"\n  variants are: good, idle\n',
    });
  });

  it('refuses --variant where there is no matrix, and a pattern that is none', async () => {
    const none = await suite.proctor(['summary', 'good.json', '--variant', 'good']);
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringContaining('the results have no variants'),
    ]);
    const senseless = await suite.proctor(['summary', 'out.json', '--variant', '(']);
    expect([senseless.exitCode, senseless.stderr]).toEqual([
      2,
      expect.stringContaining('--variant: invalid pattern'),
    ]);
  });

  it('can be narrowed down to a variant, and are whole then', async () => {
    const summary = await dataOf<Summary>('summary', 'out.json', '--variant', 'good');
    expect(summary).toMatchObject({
      unfinished: [],
      totals: { taskRuns: 10, notRun: 0, rate: { passed: 10, judged: 10 } },
      sources: [{ agent: { name: 'good' }, variants: [{ name: 'good' }] }],
    });
    const records = await dataOf<TaskRunRecord[]>(
      ...['view', 'out.json', '--variant', 'idle', '--run', '2'],
    );
    expect(records.map(({ task, variant, run }) => [task, variant, run]).sort()).toEqual([
      ['feed', 'idle', 2],
      ['walk', 'idle', 2],
    ]);
    const { tools } = await dataOf<ToolsReport>('result', 'tools', 'out.json', '--variant', 'idle');
    expect(tools.every(({ calls }) => calls === 0)).toBe(true);
  });

  it('are held against thresholds variant by variant', async () => {
    const { exitCode, stdout } = await suite.proctor(['verify', 'out.json', '--task', '0.5']);
    expect({ exitCode, text: `\n${stdout}` }).toEqual({
      exitCode: 1,
      text: `
holds   --task  good  pass rate 100%, wanted at least 50%  10 of 10 judged task runs passed
missed  --task  idle  pass rate 0%, wanted at least 50%, missed by 50 points  0 of 10 judged task runs passed

not passed: 1 threshold missed
`,
    });
    const good = await suite.proctor(['verify', 'out.json', '--task', '1', '--variant', 'good']);
    expect(good.exitCode).toBe(0);
  });

  it('count once in results and journal, each variant for itself', async () => {
    const { totals } = await dataOf<Summary>('summary', 'out.json', 'out.jsonl');
    expect(totals.taskRuns).toBe(20);
  });

  it('stay apart when they are merged', async () => {
    await suite.proctor(['result', 'merge', 'out.json', 'out.jsonl', '--out', 'merged.json']);
    const { byVariant } = await dataOf<Summary>('summary', 'merged.json');
    expect(byVariant).toMatchObject({ good: { taskRuns: 10 }, idle: { taskRuns: 10 } });
  });

  it('are rechecked run by run', async () => {
    const args = ['out.json', '--eval', 'eval.yaml'];
    const { taskRuns } = await dataOf<{
      taskRuns: { task: string; variant: string; run: number; assertions: { passed: boolean }[] }[];
    }>('recheck', ...args);
    const verdicts = taskRuns.map(
      ({ task, variant, run, assertions }) =>
        `${task} ${variant} ${run} ${assertions.every(({ passed }) => passed)}`,
    );
    expect(new Set(verdicts).size).toBe(20);
    expect(verdicts).toContain('feed good 3 true');
    expect(verdicts).toContain('feed idle 3 false');
    expect((await suite.proctor(['recheck', ...args])).stdout).toContain('feed [idle]  run 3');
  });
});

describe('diff of a matrix', () => {
  it('pairs by task and variant', async () => {
    const args = ['--base', 'out.json', '--current', 'merged-idle.json'];
    await suite.write('merged-idle.json', await suite.read('out.json'));
    const { tasks, added, removed } = await dataOf<ResultsDiff>('diff', ...args);
    expect(tasks).toHaveLength(4);
    expect([added, removed]).toEqual([[], []]);
  });

  it('says what to do where only one side has variants', async () => {
    const args = ['diff', '--base', 'good.json', '--current', 'out.json'];
    const { exitCode, stderr } = await suite.proctor(args);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: base and current have no variant in common: base has no variants, current has the variants good, idle
  choose one on each side with --variant REGEX
`,
    });
    const good = await dataOf<ResultsDiff>(...args, '--variant', 'good');
    expect(good).toMatchObject({
      caveats: ['base has no variants, and current is variant good'],
      total: { verdict: 'not enough data', difference: 0 },
    });
    const idle = await suite.proctor([...args, '--variant', 'idle']);
    expect([idle.exitCode, idle.stderr]).toEqual([2, expect.stringContaining('different agents')]);
    const told = await suite.proctor([...args, '--variant', 'idle', '--allow-different']);
    expect([told.exitCode, told.stdout]).toEqual([1, expect.stringContaining('worse in 2 tasks')]);
  });
});

describe('other formats of a matrix', () => {
  it('have a column, a class, a name for the variant', async () => {
    const convert = async (format: string, ...args: string[]) =>
      (await suite.proctor(['result', 'convert', format, 'out.json', ...args])).stdout;
    const csv = (await convert('csv')).split('\r\n').map((line) => line.split(',').slice(2, 6));
    expect(csv[0]).toEqual(['agent', 'model', 'variant', 'task']);
    expect(csv).toContainEqual(['idle', '', 'idle', 'feed']);
    const junit = await convert('junit');
    expect(junit).toContain('classname="suite [idle]" name="feed [idle] (run 2 of 5)"');
    expect(junit.match(/<testcase /g)).toHaveLength(20);
    const one = await convert('junit', '--variant', 'good');
    expect([one.match(/<testcase /g)?.length, one.includes('(not run)')]).toEqual([10, false]);
    const { results } = JSON.parse(await convert('mcpchecker'));
    const names = results.map((each: { taskName: string }) => each.taskName);
    expect([...new Set(names)].sort()).toEqual([
      'feed [good]',
      'feed [idle]',
      'walk [good]',
      'walk [idle]',
    ]);
  });
});

describe('proctor result compare', () => {
  const compare = (...args: string[]) => suite.proctor(['result', 'compare', ...args]);

  it('ranks the variants, and says that they differ', async () => {
    const comparison = await dataOf<VariantComparison>('result', 'compare', 'out.json');
    expect(comparison).toMatchObject({
      tasks: 2,
      variants: [
        { rank: 1, name: 'good', rate: 1, amounts: { calls: 1 } },
        { rank: 2, name: 'idle', rate: 0, amounts: { calls: 0 } },
      ],
      caveats: [],
    });
    expect(comparison.disagreements.map(({ task, spread }) => [task, spread])).toEqual([
      ['feed', 1],
      ['walk', 1],
    ]);
  });

  it('is read by people', async () => {
    const { exitCode, stdout } = await compare('out.json');
    expect(exitCode).toBe(0);
    const [, ...sections] = stdout
      .replace(/[\d.]+ m?s\b/g, 'TIME')
      .replace(/ {2,}/g, '  ')
      .split('\n\n');
    expect(sections.slice(1)).toEqual([
      `Differences: 1 pair, the surest first
  variant  against  points  95% interval  p (Holm)  verdict
  good  idle  +100.0  +74.1 to +100.0  1.000  not enough data overall, better in 2 tasks`,
      `2 tasks on which they disagree
  task  spread  good  idle
  feed  100.0  5/5  0/5
  walk  100.0  5/5  0/5`,
      `Next
  1 pair is undecided overall: run more tasks; for single tasks, more runs
`,
    ]);
    const markdown = (await compare('out.json', '-o', 'markdown')).stdout;
    expect(markdown).toContain('| 1 | `good` |');
  });

  it('takes files for variants, named by agent or path', async () => {
    const names = async (...args: string[]) => {
      const { variants } = await dataOf<VariantComparison>('result', 'compare', ...args);
      return variants.map(({ name }) => name).sort();
    };
    expect(await names('out.json', 'good.json')).toEqual(['good (out.json)', 'good.json', 'idle']);
    expect(await names('out.json', 'good.json', '--variant', 'good')).toEqual([
      'good (out.json)',
      'good.json',
    ]);
  });

  it.each([
    [['good.json'], 'there is only one variant'],
    [['out.json', '--variant', 'idle'], '--variant: only idle is left'],
    [['out.json', '--task', 'nothing'], 'fewer than two variants'],
    [['nowhere.json'], 'does not exist'],
  ])('%j ends with 2: %s', async (args, message) => {
    const { exitCode, stdout, stderr } = await compare(...args);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

it('the report says of two variants what result compare says', async () => {
  const results = JSON.parse(await suite.read('out.json'));
  // Looked at alone, 5 of 5 against 1 of 5 is rare enough; among all that compare looks at, it is not.
  results.taskRuns = results.taskRuns.filter(({ task }: TaskRunRecord) => task === 'feed');
  for (const taskRun of results.taskRuns) {
    if (taskRun.variant !== 'idle' || taskRun.run > 1) continue;
    Object.assign(taskRun, { outcome: 'passed', failure: null, assertionsHeld: true });
    for (const assertion of taskRun.assertions) assertion.passed = true;
  }
  await suite.write('close.json', JSON.stringify(results));
  const compared = await suite.proctor(['result', 'compare', 'close.json']);
  expect(compared.stdout).toContain('not enough data to compare the variants');
  await suite.proctor(['report', 'close.json', '--out', 'close.html']);
  const { index } = await ReportContent.of(suite.path('close.html'));
  const [pair] = index.diffs;
  expect(pair?.diff.headline.text).toBe('not enough data to compare the variants');
  expect(pair?.diff.tasks.map(({ verdict }) => verdict)).toEqual(['not enough data']);
  expect(pair && formatHeadline(pair.diff).title).toBe('Not enough data to compare the variants');
});
