import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultsSample, type SampleTask } from '../../../testing/report-samples.js';
import type { PooledResults } from '../../results/read/pooled-results.js';
import { NotComparableError } from './comparability.js';
import { type DiffOptions, diffResults } from './diff-results.js';
import type { DiffVerdict, ResultsDiff } from './results-diff.js';

type Sample = Parameters<typeof resultsSample>;

function diffOf(
  base: Sample[0],
  current: Sample[0],
  more: { base?: Sample[1]; current?: Sample[1] } & DiffOptions = {},
) {
  return diffResults(
    resultsSample(base, { id: 'base', ...more.base }),
    resultsSample(current, { id: 'current', ...more.current }),
    more,
  );
}

const claude = { name: 'claude-code', type: 'claude-code', model: 'opus' };

describe('diffResults', () => {
  it('pairs tasks by name, and counts what was not judged apart', async () => {
    const { tasks, total } = await diffOf({ feed: 'PPPPPE' }, { feed: 'FFFTFEEC' });
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).toMatchObject({
      task: 'feed',
      base: { passed: 5, judged: 5, rate: 1, taskRuns: 6, errors: 1, cancelled: 0 },
      current: { passed: 0, judged: 5, rate: 0, taskRuns: 8, errors: 2, cancelled: 1 },
      difference: -1,
      verdict: 'regression',
    });
    expect(total).toMatchObject({ tasks: 1, difference: -1, verdict: 'not enough data' });
    expect(total.current).toMatchObject({ judged: 5, errors: 2, cancelled: 1 });
  });

  it('leaves tasks that one side did not judge out of the total, and says so', async () => {
    const { tasks, total, caveats } = await diffOf(
      { feed: 'PPPP', walk: 'PPPP' },
      { feed: 'PPPP', walk: 'EEEE' },
    );
    expect(total).toMatchObject({
      tasks: 1,
      base: { judged: 4 },
      current: { judged: 4, errors: 4 },
    });
    expect(tasks.find(({ task }) => task === 'walk')).toMatchObject({
      difference: null,
      verdict: 'not enough data',
      moreRuns: 4,
    });
    expect(caveats).toEqual(['1 task without a judged run in current, though base has some: walk']);
  });

  it('warns where much of a side could not be judged, so that its rate is of the rest', async () => {
    const { caveats } = await diffOf({ feed: 'PPPPE' }, { feed: 'PPPEE' });
    expect(caveats).toEqual([
      '2 of 5 task runs in current could not be judged: what is left may be the easier part',
    ]);
    expect((await diffOf({ feed: 'PPPEE' }, { feed: 'PPPPE' })).caveats.join()).toContain(
      '2 of 5 task runs in base',
    );
  });

  it('puts what changed first', async () => {
    const { tasks } = await diffOf(
      { same: 'PPPPP', better: 'FFFFF', worse: 'PPPPP', open: 'PPPPP' },
      { same: 'PPPPP', better: 'PPPPP', worse: 'FFFFF', open: 'PPFFF' },
    );
    expect(tasks.map(({ task, verdict }) => [task, verdict])).toEqual([
      ['worse', 'regression'],
      ['better', 'improvement'],
      ['open', 'not enough data'],
      ['same', 'no change'],
    ]);
  });

  it('lists new, removed and renamed tasks', async () => {
    const { tasks, added, removed } = await diffOf(
      {
        feed: 'PPPP',
        byFile: { runs: 'PPPP', path: 'tasks/a.yaml', prompt: 'old' },
        byPrompt: { runs: 'PPPP', prompt: 'the same' },
        twin1: { runs: 'P', prompt: 'twins' },
        twin2: { runs: 'P', prompt: 'twins' },
      },
      {
        feed: 'PPPP',
        file: { runs: 'PPPP', path: 'tasks/a.yaml', prompt: 'new' },
        prompt: { runs: 'PPPP', prompt: 'the same' },
        twin3: { runs: 'P', prompt: 'twins' },
      },
    );
    const names = tasks.map(({ task, renamedFrom }) => [task, renamedFrom]);
    expect(names.sort()).toEqual([
      ['feed', null],
      ['file', 'byFile'],
      ['prompt', 'byPrompt'],
    ]);
    expect(added.map(({ task }) => task)).toEqual(['twin3']);
    expect(removed.map(({ task }) => task)).toEqual(['twin1', 'twin2']);
  });

  it('has the mean amounts of a task run where both sides report them', async () => {
    const spending = (durationMs: number, cost: number | null): SampleTask => ({
      runs: 'PPPP',
      change: { durationMs, cost, usage: { inputTokens: durationMs, outputTokens: 10 } },
    });
    const { total } = await diffOf(
      { feed: spending(100, 0.1), walk: spending(300, 0.5) },
      { feed: spending(200, 0.2), walk: spending(600, null) },
    );
    expect(total.base.amounts).toMatchObject({ durationMs: 200, inputTokens: 200, cost: 0.1 });
    expect(total.current.amounts).toMatchObject({ durationMs: 400, inputTokens: 400, cost: 0.2 });
  });

  it('has a mean also of amounts whose sum no number can hold', async () => {
    const tasks = { feed: { runs: 'PPPP', change: { durationMs: 1e308, cost: 1e308 } } };
    const { total } = await diffOf(tasks, tasks);
    expect(total.base.amounts).toMatchObject({ durationMs: 1e308, cost: 1e308 });
  });

  it('survives names that mean something to JavaScript', async () => {
    const tasks = { ['__proto__']: 'PPPP', constructor: 'PPPP', toString: 'PPPP' };
    const { tasks: compared } = await diffOf(tasks, tasks);
    expect(compared.map(({ task }) => task).sort()).toEqual(
      ['__proto__', 'constructor', 'toString'].sort(),
    );
  });

  it.each([
    ['evals', { eval: { name: 'dogs', file: 'eval.yaml' } }, 'different evals: pets, dogs'],
    ['agents', { agent: claude }, 'different agents: scripted, claude-code'],
    [
      'models',
      { agent: { name: 'scripted', type: 'scripted', model: 'big' } },
      'different models: none named, big',
    ],
  ])('refuses to compare different %s, unless it is allowed', async (_what, current, reason) => {
    const tasks = { feed: 'PPPP' };
    const refused = diffOf(tasks, tasks, { current });
    await expect(refused).rejects.toThrow(NotComparableError);
    await expect(refused).rejects.toThrow(reason);
    const { caveats } = await diffOf(tasks, tasks, { current, allowDifferent: true });
    expect(caveats).toContain(reason);
  });

  it('refuses where nothing can be compared, even if it is allowed', async () => {
    const options = { allowDifferent: true };
    await expect(diffOf({ feed: 'PP' }, { walk: 'PP' }, options)).rejects.toThrow(
      'base and current have no task in common',
    );
    await expect(diffOf({ feed: 'PP' }, { feed: 'EC' }, options)).rejects.toThrow(
      'no task was judged on both sides',
    );
    await expect(diffOf({}, {}, options)).rejects.toThrow(NotComparableError);
  });

  it.each([
    [{ finished: false }, 'base is unfinished: 4 of 4 task runs'],
    [{ agent: null }, 'agent and model are not known for base.json'],
    [{ evaluations: ['current'] }, 'it is compared with itself'],
    [{ judge: claude }, undefined],
  ])('with %j in the base says %s', async (base, caveat) => {
    const { caveats } = await diffOf({ feed: 'PPPP' }, { feed: 'PPPP' }, { base });
    if (caveat === undefined) expect(caveats).toEqual([]);
    else expect(caveats.join()).toContain(caveat);
  });

  it('says that prompts, judges and versions of the agent differ', async () => {
    const { caveats } = await diffOf(
      { feed: { runs: 'PPPP', prompt: 'Feed it.' } },
      { feed: { runs: 'PPPP', prompt: 'Feed it well.' } },
      {
        base: { judge: claude, agent: { ...claude, version: '1' } },
        current: { judge: { ...claude, model: 'haiku' }, agent: { ...claude, version: '2' } },
      },
    );
    expect(caveats).toEqual([
      'different versions of the agent: 1, 2',
      'different judges: claude-code opus, claude-code haiku',
      '1 task is judged differently in current: feed; it can count as worse, and never as better',
    ]);
  });

  const matrixOf = (...names: string[]) => ({
    agent: null,
    variants: names.map((name) => ({ name, agent: { ...claude, model: name } })),
  });
  const of = (variant: string, runs: string) => ({ runs, change: { variant } });

  it('pairs by task and variant, and keeps the variants of one side apart', async () => {
    const { tasks, added, removed, total } = await diffResults(
      variantSample({ a: { feed: 'PPPPP' }, b: { feed: 'FFFFF' } }, 'base'),
      variantSample({ b: { feed: 'PPPPP' }, c: { feed: 'PPPPP' } }, 'current'),
    );
    expect(tasks).toMatchObject([
      { task: 'feed', variant: 'b', difference: 1, verdict: 'improvement' },
    ]);
    expect(added).toMatchObject([{ task: 'feed', variant: 'c' }]);
    expect(removed).toMatchObject([{ task: 'feed', variant: 'a' }]);
    expect(total).toMatchObject({ tasks: 1, base: { judged: 5 } });
  });

  it('finds renamed tasks within their variant', async () => {
    const { tasks } = await diffResults(
      variantSample({ a: { feed: 'PPPP' }, b: { feed: 'PPPP' } }, 'base'),
      variantSample({ a: { eat: 'PPPP' }, b: { eat: 'FFFF' } }, 'current', 'tasks/feed.yaml'),
    );
    expect(tasks.map(({ task, variant, renamedFrom }) => [task, variant, renamedFrom])).toEqual([
      ['eat', 'b', 'feed'],
      ['eat', 'a', 'feed'],
    ]);
  });

  it('compares the only variant of each side, whatever it is called', async () => {
    const { tasks, caveats } = await diffOf(
      { feed: 'PPPP' },
      { feed: of('new', 'PPPP') },
      { base: { agent: { ...claude, model: 'new' } }, current: matrixOf('new') },
    );
    expect(tasks).toMatchObject([{ task: 'feed', variant: 'new', difference: 0 }]);
    expect(caveats).toEqual(['base has no variants, and current is variant new']);
  });

  it('asks to choose where one side has variants and the other has none', async () => {
    const refused = diffOf(
      { feed: 'PPPP' },
      { feed: of('a', 'PPPP') },
      { current: matrixOf('a', 'b') },
    );
    await expect(refused).rejects.toThrow(
      'no variant in common: base has no variants, current has the variants a, b',
    );
    await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining('--variant') });
  });

  it('holds the agent of a variant against that of the same variant only', async () => {
    const base = variantSample({ a: { feed: 'PPPP' }, b: { feed: 'PPPP' } }, 'base');
    const current = variantSample({ a: { feed: 'PPPP' }, b: { feed: 'PPPP' } }, 'current');
    expect((await diffResults(base, current)).caveats).toEqual([]);
    const [file] = current.files;
    if (file)
      file.header.variants = matrixOf('other', 'b').variants.map((each, index) => ({
        ...each,
        name: ['a', 'b'][index] ?? '',
      }));
    await expect(diffResults(base, current)).rejects.toThrow(
      'different models of variant a: a, other',
    );
  });

  it('clusters totals and their intervals by task, however many variants there are', async () => {
    const runs = { feed: 'PPPP', walk: 'PPFF', bark: 'PFFF', sit: 'FFFF' };
    const now = { feed: 'PPPP', walk: 'PPPP', bark: 'PFFF', sit: 'PFFF' };
    const one = (await diffOf(runs, now)).total;
    const { total } = await diffResults(
      variantSample({ a: runs, b: runs }, 'base'),
      variantSample({ a: now, b: now }, 'current'),
    );
    // The same twice is no more tasks: the interval between tasks stays.
    expect(total).toMatchObject({ tasks: 8, variants: 2, difference: one.difference });
    expect(total.low).toBeCloseTo(one.low ?? 0, 12);
    expect(total.high).toBeCloseTo(one.high ?? 0, 12);
  });

  it('mirrors when base and current change places', async () => {
    const runs = fc.string({ unit: fc.constantFrom('P', 'P', 'F', 'T', 'E'), maxLength: 8 });
    const tasks = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), runs);
    await fc.assert(
      fc.asyncProperty(tasks, tasks, async (base, current) => {
        const there = await diffOf(base, current).catch(nameOfError);
        const back = await diffOf(current, base).catch(nameOfError);
        if (typeof there === 'string' || typeof back === 'string') expect(back).toEqual(there);
        else expect(essence(back)).toEqual(mirrored(essence(there)));
      }),
      { numRuns: 30 },
    );
  });
});

/** Results of a matrix: tasks by variant. */
function variantSample(
  byVariant: Readonly<Record<string, Readonly<Record<string, string>>>>,
  id: string,
  path?: string,
): PooledResults {
  const samples = Object.entries(byVariant).map(([variant, tasks]) =>
    resultsSample(
      Object.fromEntries(
        Object.entries(tasks).map(([task, runs]) => [
          task,
          { runs, change: { variant }, ...(path !== undefined && { path }) },
        ]),
      ),
    ),
  );
  const variants = Object.keys(byVariant).map((name) => ({
    name,
    agent: { ...claude, model: name },
  }));
  const whole = resultsSample({}, { id, agent: null, variants, planned: null });
  const [file] = whole.files;
  return {
    files: whole.files,
    async *taskRuns() {
      for (const sample of samples) {
        for await (const { taskRun } of sample.taskRuns()) if (file) yield { file, taskRun };
      }
    },
  };
}

function nameOfError(error: Error): string {
  return error.message;
}

/** What a comparison says, without what names the sides. */
function essence({ total, tasks, added, removed }: ResultsDiff) {
  const sorted = tasks.toSorted((a, b) => (a.task < b.task ? -1 : 1));
  return { total, tasks: sorted.map(({ notes, ...task }) => task), added, removed };
}

function mirrored({ total, tasks, added, removed }: ReturnType<typeof essence>) {
  const negated = (value: number | null) => (value === null ? null : 0 - value);
  const swap = <Side>({ base, current }: { base: Side; current: Side }) => ({
    base: current,
    current: base,
  });
  return {
    total: {
      ...total,
      ...swap(total),
      difference: negated(total.difference),
      low: negated(total.high),
      high: negated(total.low),
      verdict: opposite[total.verdict],
    },
    tasks: tasks.map((task) => ({
      ...task,
      ...swap(task),
      failures: swap(task.failures),
      difference: negated(task.difference),
      verdict: opposite[task.verdict],
    })),
    added: removed,
    removed: added,
  };
}

const opposite: Record<DiffVerdict, DiffVerdict> = {
  regression: 'improvement',
  improvement: 'regression',
  'judged differently': 'judged differently',
  'no change': 'no change',
  'not enough data': 'not enough data',
};
