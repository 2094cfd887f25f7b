import { describe, expect, it } from 'vitest';
import { generatedTaskRun } from '../../../testing/report-samples.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { ResultsHeader } from '../../results/results-header.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { describeUnfinished, listCaveats } from './caveats.js';
import { type SummaryOptions, summarize } from './summarize.js';

const passed: TaskRunRecord = {
  ...generatedTaskRun({ task: 0, run: 1, runs: 1, calls: 2, passing: 100 }),
  task: 'feed',
  labels: {},
};

const failed = (message: string): TaskRunRecord => ({
  ...passed,
  outcome: 'failed',
  failure: { category: 'verification-failed', message, evidence: 1 },
  verified: false,
});

function file(path: string, taskRuns: TaskRunRecord[], header: Partial<ResultsHeader> = {}) {
  const whole: ResultsHeader = {
    kind: 'results',
    id: path,
    evaluations: [header.id ?? path],
    merged: false,
    shards: [],
    reruns: [],
    eval: { name: 'pets', file: 'eval.yaml' },
    startedAt: null,
    durationMs: null,
    agent: { name: 'scripted', type: 'scripted' },
    variants: [],
    judge: null,
    mcpServers: [],
    finished: true,
    interrupted: false,
    bailed: false,
    budget: null,
    planned: taskRuns.length,
    open: [],
    warnings: [],
    ...header,
  };
  return {
    path,
    header: whole,
    leftOut: () => ({ count: 0, parts: [] }),
    async *taskRuns() {
      yield* taskRuns;
    },
  } satisfies ResultsFile;
}

function summaryOf(files: ResultsFile[], options?: SummaryOptions) {
  return summarize(
    {
      files,
      async *taskRuns() {
        for (const each of files)
          for await (const taskRun of each.taskRuns()) yield { file: each, taskRun };
      },
    },
    options,
  );
}

const budget = { kind: 'cost', limit: 1, spent: 1.2 } as const;

describe('unfinished evaluations', () => {
  const state = async (...files: ResultsFile[]) => {
    const { unfinished, totals } = await summaryOf(files);
    return {
      unfinished: unfinished.map((each) =>
        'path' in each ? `${each.path} ${each.why}` : each.why,
      ),
      notRun: totals.notRun,
    };
  };

  it('are those that were killed, interrupted, bailed, or that lack task runs', async () => {
    const files = [
      file('killed', [], { finished: false, planned: 2 }),
      file('interrupted', [passed], { interrupted: true, planned: 2 }),
      file('bailed', [passed], { bailed: true, planned: 3 }),
      file('spent', [passed], { budget, planned: 3 }),
      file('short', [passed], { planned: 2 }),
      file('cancelled', [{ ...passed, outcome: 'cancelled' }]),
      file('whole', [passed]),
      file('bailed at the last', [passed], { bailed: true }),
      file('theirs', [passed], { id: null, evaluations: [], planned: null }),
    ];
    expect(await state(...files)).toEqual({
      unfinished: [
        'killed running',
        'interrupted interrupted',
        'bailed bailed',
        'spent budget',
        'short incomplete',
        'cancelled incomplete',
      ],
      notRun: 8,
    });
  });

  it('say which budget was reached', async () => {
    const { unfinished } = await summaryOf([file('spent', [passed], { budget, planned: 3 })]);
    expect(unfinished).toMatchObject([{ why: 'budget', budget, done: 1, planned: 3 }]);
    expect(unfinished.map(describeUnfinished)).toEqual([
      'unfinished: 1 of 3 task runs have a verdict (spent: --max-cost was reached ($1.20 of $1.00))',
    ]);
  });

  it('are not those of which another file has the end', async () => {
    const spent = file('spent', [passed], { id: 'a', budget, planned: 2 });
    const whole = file('whole', [passed, passed], { id: 'a' });
    expect(await state(spent, whole)).toEqual({ unfinished: [], notRun: 0 });
    const journal = file('journal', [], { id: 'a', finished: false, planned: 2 });
    const results = file('results', [passed, passed], { id: 'a' });
    expect(await state(journal, results)).toEqual({ unfinished: [], notRun: 0 });
    expect(await state(results, journal)).toEqual({ unfinished: [], notRun: 0 });
  });

  it('are not made whole by merging them with others', async () => {
    const merged = file('merged', [{ ...passed, from: { id: 'a', run: 1, runs: 1 } }], {
      evaluations: ['a', 'b'],
      finished: false,
      planned: 3,
    });
    const part = file('part', [passed], { id: 'b' });
    expect(await state(merged, part)).toEqual({ unfinished: ['merged running'], notRun: 1 });
  });
});

describe('failures', () => {
  it('are put together by their reason, the most frequent first', async () => {
    const runs = [failed('rare'), { ...failed('often'), run: 2 }, { ...failed('often'), run: 3 }];
    const { tasks } = await summaryOf([file('a', runs)]);
    expect(tasks[0]?.failures).toEqual([
      { category: 'verification-failed', message: 'often', runs: [2, 3], path: 'a', count: 2 },
      { category: 'verification-failed', message: 'rare', runs: [1], path: 'a', count: 1 },
    ]);
  });

  it('stay few, however many reasons there are, and none is lost', async () => {
    const runs = Array.from({ length: 100 }, (_, index) =>
      failed(`${index} ${'x'.repeat(10_000)}`),
    );
    const { tasks } = await summaryOf([file('a', runs)]);
    const failures = tasks[0]?.failures ?? [];
    expect(failures).toHaveLength(11);
    expect(failures[0]).toMatchObject({ message: 'for other reasons', count: 90 });
    expect(failures[0]?.runs).toHaveLength(20);
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    expect(Math.max(...failures.map(({ message }) => message.length))).toBeLessThan(520);
  });
});

describe('names', () => {
  it('that are longer than any name stay apart', async () => {
    const name = 'x'.repeat(100_000);
    const runs = ['a', 'b'].map((end) => ({ ...passed, task: name + end }));
    const { tasks } = await summaryOf([file('a', runs)]);
    expect(tasks).toHaveLength(2);
    expect(tasks[0]?.task.length).toBeLessThan(320);
  });

  it('may be those of what every object has', async () => {
    const labels = JSON.parse('{"__proto__":"toString","constructor":"__proto__"}');
    const taskRun = { ...passed, task: '__proto__', difficulty: 'valueOf', labels };
    const { tasks, byLabel, byDifficulty } = await summaryOf([file('a', [taskRun])]);
    expect(tasks[0]?.task).toBe('__proto__');
    expect(Object.keys(byDifficulty)).toEqual(['valueOf']);
    expect(Object.entries(byLabel).map(([key, values]) => [key, Object.keys(values)])).toEqual([
      ['__proto__', ['toString']],
      ['constructor', ['__proto__']],
    ]);
  });
});

describe('groups', () => {
  it('are of each task run by its own difficulty and labels, whichever file comes first', async () => {
    const before = { ...passed, difficulty: 'easy', labels: { area: 'food' } };
    const now = { ...failed('no'), difficulty: 'hard', labels: { team: 'a' } };
    const files = [file('a', [before, before]), file('b', [now])];
    for (const ordered of [files, files.toReversed()]) {
      const { byDifficulty, byLabel } = await summaryOf(ordered);
      expect(byDifficulty).toMatchObject({
        easy: { taskRuns: 2, rate: { passed: 2, judged: 2 } },
        hard: { taskRuns: 1, rate: { passed: 0, judged: 1 } },
      });
      expect(Object.keys(byLabel)).toEqual(['area', 'team']);
      expect(byLabel).toMatchObject({
        area: { food: { outcomes: { passed: 2, failed: 0 } } },
        team: { a: { outcomes: { passed: 0, failed: 1 } } },
      });
    }
  });
});

describe('verified', () => {
  it('are those whose verification passed, or that passed without any', async () => {
    const runs: TaskRunRecord[] = [
      { ...passed, verified: true, outcome: 'failed' },
      { ...passed, verified: null, outcome: 'passed' },
      { ...passed, verified: null, outcome: 'failed' },
      { ...passed, verified: false, outcome: 'failed' },
    ];
    expect((await summaryOf([file('a', runs)])).totals.verified).toBe(2);
  });
});

describe('schema tokens', () => {
  const countTokens = async (texts: string[]) => texts.map(({ length }) => length);
  const server = (tools: unknown[]) => ({ name: 's', transport: 'stdio' as const, tools });

  it('are those of the tools that a file lists, for every task run', async () => {
    const small = file('a', [passed, passed], { mcpServers: [server([{ a: 1 }])] });
    const large = file('b', [passed], { mcpServers: [server([{ a: 1 }, { b: 22 }])] });
    const { totals } = await summaryOf([small, large], { countTokens });
    expect(totals).toMatchObject({ schemaTokens: 15, schemaTokensOfRuns: 7 + 7 + 15 });
  });

  it('are unknown where a file does not list tools, or nests them too deeply', async () => {
    const depth = 50_000;
    const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    for (const mcpServers of [[], [{ name: 's', transport: 'stdio' as const }], [server([deep])]]) {
      const { totals } = await summaryOf([file('a', [passed], { mcpServers })], { countTokens });
      expect(totals).toMatchObject({ schemaTokens: null, schemaTokensOfRuns: null });
    }
  });

  it('are what mcpchecker estimated, in its results', async () => {
    const theirs = { ...passed, estimate: { tokens: 900, schemaTokens: 300 } };
    const { totals } = await summaryOf([file('a', [theirs, theirs])]);
    expect(totals).toMatchObject({
      schemaTokens: 300,
      schemaTokensOfRuns: 600,
      estimatedTokens: 1800,
    });
  });
});

describe('variants of a matrix', () => {
  const variants = ['a', 'b'].map((name) => ({ name, agent: { name, type: 'scripted' } }));
  const run = (task: string, variant: string | null, outcome: 'passed' | 'failed', number = 1) => ({
    ...passed,
    task,
    variant,
    outcome,
    run: number,
    cost: variant === 'a' ? 1 : 3,
  });
  const matrix = (...runs: TaskRunRecord[]) => file('matrix', runs, { agent: null, variants });

  it('have tasks of their own, which stand together', async () => {
    const { tasks, totals } = await summaryOf([
      matrix(run('feed', 'b', 'failed'), run('walk', 'a', 'passed'), run('feed', 'a', 'passed')),
    ]);
    expect(tasks.map(({ task, variant, rate }) => [task, variant, rate.rate])).toEqual([
      ['feed', 'a', 1],
      ['feed', 'b', 0],
      ['walk', 'a', 1],
    ]);
    expect(totals).toMatchObject({ tasks: 2, tasksPassed: 1, taskRuns: 3, flaky: [] });
  });

  it('add up to rates and amounts of their own', async () => {
    const { byVariant } = await summaryOf([
      matrix(run('feed', 'a', 'passed'), run('feed', 'b', 'failed'), run('walk', 'a', 'failed')),
    ]);
    expect(byVariant).toMatchObject({
      a: { taskRuns: 2, rate: { passed: 1, judged: 2 }, amounts: { cost: 2 } },
      b: { taskRuns: 1, rate: { passed: 0, judged: 1 }, amounts: { cost: 3 } },
    });
    expect((await summaryOf([file('plain', [passed])])).byVariant).toEqual({});
  });

  it('are no more tasks: runs of one task stay one cluster of the total', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `task-${index}`);
    const outcomeOf = (task: string) => (task < 'task-3' ? 'passed' : 'failed');
    const both = names.flatMap((task) => [
      run(task, 'a', outcomeOf(task)),
      run(task, 'b', outcomeOf(task)),
    ]);
    const again = names.flatMap((task) => [
      run(task, null, outcomeOf(task)),
      run(task, null, outcomeOf(task), 2),
    ]);
    const { totals } = await summaryOf([matrix(...both)]);
    expect(totals.rate).toEqual((await summaryOf([file('plain', again)])).totals.rate);
  });

  it('name the variant of a task that is flaky', async () => {
    const { totals } = await summaryOf([
      matrix(run('feed', 'a', 'passed'), run('feed', 'a', 'failed', 2), run('feed', 'b', 'failed')),
    ]);
    expect(totals.flaky).toEqual(['feed [a]']);
  });

  it('may differ in their agents without a caveat, if they do so in every file', async () => {
    const one = file('one', [run('feed', 'a', 'passed')], { agent: null, variants });
    const two = file('two', [run('feed', 'b', 'passed')], { agent: null, variants });
    expect(listCaveats(await summaryOf([one, two]))).toEqual([]);
    const plain = file('three', [passed]);
    expect(listCaveats(await summaryOf([one, plain])).join()).toContain(
      'different agents: a, b, scripted',
    );
  });

  it('count the tools of their own MCP config', async () => {
    const tool = { name: 'feed', inputSchema: {} };
    const mcpServers = ['old.yaml', 'new.yaml'].map((mcpConfigFile, index) => ({
      name: 'pets',
      transport: 'stdio' as const,
      mcpConfigFile,
      tools: Array(index + 1).fill(tool),
    }));
    const withConfigs = variants.map((variant, index) => ({
      ...variant,
      mcpConfigFile: ['old.yaml', 'new.yaml'][index] ?? '',
    }));
    const sample = file('matrix', [run('feed', 'a', 'passed'), run('feed', 'b', 'passed')], {
      variants: withConfigs,
      mcpServers,
    });
    const { totals } = await summaryOf([sample], {
      countTokens: async (texts) => texts.map(() => 10),
    });
    expect(totals).toMatchObject({ schemaTokens: 20, schemaTokensOfRuns: 30 });
  });
});
