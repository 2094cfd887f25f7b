import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultsSample } from '../../../testing/report-samples.js';
import type { PooledResults } from '../../results/read/pooled-results.js';
import type { ResultsHeader } from '../../results/results-header.js';
import { NotComparableError } from '../diff/comparability.js';
import { type CompareOptions, compareVariants } from './compare-variants.js';
import { assignGroupLetters, formatComparisonHeadline } from './comparison-text.js';

type Tasks = Parameters<typeof resultsSample>[0];

const agent = (name: string, model?: string) => ({
  name,
  type: 'llm-agent',
  ...(model !== undefined && { model }),
});

function pooled(samples: readonly PooledResults[]): PooledResults {
  return {
    files: samples.flatMap(({ files }) => files),
    async *taskRuns(options) {
      for (const sample of samples) yield* sample.taskRuns(options);
    },
  };
}

/** A file for each, called by its agent. */
function filesOf(byName: Readonly<Record<string, Tasks>>, header: Partial<ResultsHeader> = {}) {
  return Object.entries(byName).map(([name, tasks]) =>
    resultsSample(tasks, { id: name, agent: agent(name), ...header }),
  );
}

function compared(byName: Readonly<Record<string, Tasks>>, options?: CompareOptions) {
  return compareVariants(pooled(filesOf(byName)), options);
}

/** As many tasks with these runs. */
function tasks(count: number, runs: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`task-${index}`, runs]));
}

describe('compareVariants', () => {
  it('ranks by pass rate, and says which differences are real', async () => {
    const comparison = await compared({
      bad: tasks(12, 'FFFFF'),
      good: tasks(12, 'PPPPP'),
      well: tasks(12, 'PPPPF'),
    });
    expect(comparison.variants.map(({ rank, name, rate }) => [rank, name, rate])).toEqual([
      [1, 'good', 1],
      [2, 'well', 0.8],
      [3, 'bad', 0],
    ]);
    expect(comparison.pairs).toMatchObject([
      { first: 'good', second: 'well', verdict: 'different', firstBetterIn: [] },
      { first: 'good', second: 'bad', verdict: 'different', secondBetterIn: [] },
      { first: 'well', second: 'bad', verdict: 'different' },
    ]);
    expect(comparison.groups).toEqual([['good'], ['well'], ['bad']]);
    expect(formatComparisonHeadline(comparison)).toBe('good is better than every other variant');
  });

  it('pays for every pair that is looked at', async () => {
    // Alone, 6 of 6 tasks are p = 2/64; of 3 pairs, and with single tasks, that shows nothing.
    const comparison = await compared({
      good: tasks(6, 'P'),
      bad: tasks(6, 'F'),
      worse: tasks(6, 'F'),
    });
    expect(formatComparisonHeadline(comparison)).toBe('not enough data to compare the variants');
    expect(comparison.pairs[0]).toMatchObject({
      method: 'exact McNemar',
      pValue: expect.closeTo(2 / 64, 12),
      adjusted: expect.closeTo((2 * 3 * 2) / 64, 12),
      verdict: 'not enough data',
    });
  });

  it('finds variants different by single tasks too', async () => {
    const comparison = await compared({
      one: { feed: 'P'.repeat(10), walk: 'P'.repeat(10), bark: 'F'.repeat(10) },
      other: { feed: 'P'.repeat(10), walk: 'F'.repeat(10), bark: 'F'.repeat(10) },
    });
    expect(comparison.pairs).toMatchObject([
      { verdict: 'not enough data', firstBetterIn: ['walk'], secondBetterIn: [] },
    ]);
    expect(comparison.groups).toEqual([['one'], ['other']]);
    expect(formatComparisonHeadline(comparison)).toBe('one is better than other');
  });

  it('does not call better what is worse elsewhere', async () => {
    const comparison = await compared({
      one: { feed: 'P'.repeat(12), walk: 'F'.repeat(12), bark: 'PPPP' },
      other: { feed: 'F'.repeat(12), walk: 'P'.repeat(12), bark: 'PPPP' },
    });
    expect(comparison.pairs).toMatchObject([{ firstBetterIn: ['feed'], secondBetterIn: ['walk'] }]);
    expect(formatComparisonHeadline(comparison)).toBe(
      'one is better than other in some tasks and worse in others',
    );
  });

  it('finds no difference where there is none', async () => {
    const comparison = await compared({ one: tasks(8, 'PPF'), other: tasks(8, 'PPF') });
    expect(comparison.variants.map(({ rank }) => rank)).toEqual([1, 1]);
    expect(comparison.pairs).toMatchObject([{ difference: 0, verdict: 'no difference' }]);
    expect(comparison.groups).toEqual([['one', 'other']]);
    expect([...assignGroupLetters(comparison).values()]).toEqual(['a', 'a']);
    expect(formatComparisonHeadline(comparison)).toContain('no detectable difference');
    expect(comparison.disagreements).toEqual([]);
  });

  it('shows the tasks on which they disagree, the largest spread first', async () => {
    const { disagreements } = await compared({
      one: { alike: 'PF', feed: 'PPPP', walk: 'PPPF' },
      two: { alike: 'FP', feed: 'FFFF', walk: 'PPFF' },
    });
    expect(disagreements).toMatchObject([
      {
        task: 'feed',
        spread: 1,
        rates: [
          { variant: 'one', passed: 4, judged: 4 },
          { variant: 'two', passed: 0, judged: 4 },
        ],
      },
      { task: 'walk', spread: 0.25 },
    ]);
  });

  it('compares only what all have judged, and says what is left out', async () => {
    const comparison = await compared({
      one: { feed: 'PPPP', walk: 'FFFF', own: 'FFFF' },
      two: { feed: 'PPPP', walk: 'EEEE' },
      broken: { feed: 'EE' },
    });
    expect(comparison).toMatchObject({
      tasks: 1,
      variants: [
        { name: 'one', judged: 4, rate: 1 },
        { name: 'two', judged: 4, rate: 1 },
      ],
      leftOut: [
        { task: 'own', missing: ['two'] },
        { task: 'walk', missing: ['two'] },
      ],
      notRanked: ['broken'],
      caveats: [
        'not compared, as nothing was judged: broken',
        '2 tasks left out, as not every variant judged them: own, walk',
      ],
    });
  });

  it('has the mean amounts of a task run over the tasks for which all variants report them', async () => {
    const taking = (cost: number | null, durationMs: number) => ({
      runs: 'PP',
      change: { cost, durationMs, usage: { inputTokens: 100, outputTokens: 10 } },
    });
    const { variants } = await compared({
      one: { feed: taking(1, 100), walk: taking(9, 300) },
      two: { feed: taking(2, 100), walk: taking(null, 500) },
      silent: { feed: taking(null, 1), walk: taking(null, 1) },
    });
    const byName = new Map(variants.map(({ name, amounts }) => [name, amounts]));
    expect(byName.get('one')).toMatchObject({ cost: 1, durationMs: 200, inputTokens: 100 });
    expect(byName.get('two')).toMatchObject({ cost: 2, durationMs: 300 });
    expect(byName.get('silent')).toMatchObject({ cost: null, durationMs: 1 });
    // They pass as often: the cheaper one is first.
    expect(variants.map(({ name }) => name)).toEqual(['one', 'two', 'silent']);
  });

  it('takes the variants of a matrix, beside files without one', async () => {
    const matrix = resultsSample(
      {
        feed: { runs: 'PPPP', change: { variant: 'a' } },
        walk: { runs: 'PPPP', change: { variant: 'a' } },
      },
      {
        id: 'matrix',
        agent: null,
        variants: [
          { name: 'a', agent: agent('claude') },
          { name: 'never ran', agent: agent('gpt') },
        ],
      },
    );
    const single = resultsSample({ feed: 'FFFF' }, { id: 'x', agent: agent('claude', 'opus') });
    const { variants, notRanked } = await compareVariants(pooled([matrix, single]));
    expect(variants.map(({ name, agent: who }) => [name, who?.name])).toEqual([
      ['a', 'claude'],
      ['claude + opus', 'claude'],
    ]);
    expect(notRanked).toEqual(['never ran']);
  });

  it('names files by their path where agent and model are the same or unknown', async () => {
    const same = { agent: agent('claude', 'opus') };
    const { variants } = await compareVariants(
      pooled([
        resultsSample({ feed: 'P' }, { id: 'main', ...same }),
        resultsSample({ feed: 'P' }, { id: 'pr', ...same }),
        resultsSample({ feed: 'P' }, { id: 'old', agent: null }),
        resultsSample({ feed: 'P' }, { id: 'other', agent: agent('gpt') }),
      ]),
    );
    const names = variants.map(({ name }) => name).sort();
    expect(names).toEqual(['gpt', 'main.json', 'old.json', 'pr.json']);
  });

  it('takes the results and the journal of an evaluation for one thing', async () => {
    const results = resultsSample({ feed: 'P' }, { id: 'one', agent: agent('claude') });
    const journal = resultsSample({ walk: 'P' }, { id: 'one', agent: agent('claude') });
    const other = resultsSample({ feed: 'P', walk: 'P' }, { id: 'two', agent: agent('gpt') });
    const { variants } = await compareVariants(pooled([results, other, journal]));
    expect(variants.map(({ name, judged }) => [name, judged])).toEqual([
      ['claude', 2],
      ['gpt', 2],
    ]);
  });

  it('narrows down to tasks and variants', async () => {
    const { variants, tasks: count } = await compared(
      { one: { feed: 'P', walk: 'F' }, two: { feed: 'F', walk: 'F' }, three: { feed: 'F' } },
      { isWanted: (task) => task === 'feed', isWantedVariant: (name) => name !== 'three' },
    );
    expect([count, variants.map(({ name, rate }) => [name, rate])]).toEqual([
      1,
      [
        ['one', 1],
        ['two', 0],
      ],
    ]);
  });

  it.each([
    [{ one: { feed: 'P' } }, {}, 'there is only one variant'],
    [{ one: { feed: 'P' }, two: { walk: 'P' } }, {}, 'no task was judged by all of one, two'],
    [{ one: { feed: 'P' }, two: { feed: 'E' } }, {}, 'fewer than two variants'],
    [
      { one: { feed: 'P' }, two: { feed: 'P' } },
      { isWantedVariant: (name: string) => name === 'one' },
      '--variant: only one is left',
    ],
    [
      { one: { feed: 'P' }, two: { feed: 'P' } },
      { isWantedVariant: () => false },
      '--variant: no variant is left',
    ],
  ])('refuses %j with %j: %s', async (byName, options, reason) => {
    const refused = compared(byName, options);
    await expect(refused).rejects.toThrow(NotComparableError);
    await expect(refused).rejects.toThrow(reason);
  });

  it('says what is odd: other evals, other prompts, runs that are missing', async () => {
    const files = [
      resultsSample({ feed: 'FFFF', walk: 'PPPP' }, { id: 'one', agent: agent('one') }),
      resultsSample(
        { feed: { runs: 'PPPP', prompt: 'Something else' }, walk: 'PPEE' },
        { id: 'two', agent: agent('two'), eval: { name: 'dogs', file: 'dogs.yaml' }, planned: 9 },
      ),
    ];
    const { caveats, variants } = await compareVariants(pooled(files));
    // Whoever was asked something else is not better in it.
    expect(variants.map(({ rate }) => rate)).toEqual([1, 1]);
    expect(caveats).toEqual([
      'different evals: dogs, pets',
      'unfinished: 8 of 9 task runs have a verdict (two.json: the rest is missing)',
      '2 of 4 task runs of two could not be judged: what is left may be the easier part',
      'feed is not judged alike for all variants, and not compared: the prompt changed',
    ]);
  });

  const someRuns = fc.string({
    unit: fc.constantFrom('P', 'P', 'F', 'T', 'E'),
    minLength: 1,
    maxLength: 6,
  });
  const someTasks = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), someRuns, {
    minKeys: 5,
  });
  const someVariants = fc.dictionary(fc.constantFrom('v', 'w', 'x', 'y'), someTasks, {
    minKeys: 2,
  });

  it('does not depend on the order of the files', async () => {
    await fc.assert(
      fc.asyncProperty(someVariants, fc.infiniteStream(fc.nat()), async (byName, numbers) => {
        const files = filesOf(byName);
        const shuffled = files
          .map((file) => ({ file, key: numbers.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ file }) => file);
        const there = await outcomeOf(files);
        expect(await outcomeOf(shuffled)).toEqual(there);
      }),
      { numRuns: 12 },
    );
  });

  it('finds the same of two, whichever of them ranks first', async () => {
    await fc.assert(
      fc.asyncProperty(someTasks, someTasks, async (one, two) => {
        const there = await outcomeOf(filesOf({ a: one, b: two }));
        const back = await outcomeOf(filesOf({ a: two, b: one }));
        if (typeof there === 'string' || typeof back === 'string') {
          expect(typeof back).toBe(typeof there);
          return;
        }
        const [pair, mirrored] = [there.pairs[0], back.pairs[0]];
        expect(mirrored?.pValue).toBe(pair?.pValue);
        expect(mirrored?.verdict).toBe(pair?.verdict);
        expect(Math.abs(mirrored?.difference ?? 0)).toBeCloseTo(
          Math.abs(pair?.difference ?? 0),
          12,
        );
      }),
      { numRuns: 12 },
    );
  });
});

async function outcomeOf(files: readonly PooledResults[]) {
  try {
    const { sources, ...rest } = await compareVariants(pooled(files));
    return rest;
  } catch (error) {
    if (!(error instanceof NotComparableError)) throw error;
    return error.message.replace(/judged by all of .*/, 'judged by all');
  }
}
