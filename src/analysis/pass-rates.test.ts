import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeMeanPassWithK, computePassFigures, makeOutcomeCounts } from './pass-rates.js';

const passes = fc
  .tuple(fc.nat({ max: 30 }), fc.nat({ max: 30 }))
  .map(([passed, others]) => ({ passed, judged: passed + others }));

it('pass^k never rises with k, and pass@k never falls, however unequal the runs of tasks', () => {
  fc.assert(
    fc.property(fc.array(passes, { maxLength: 12 }), (tasks) => {
      const found = computeMeanPassWithK(tasks);
      for (const [place, { any, all, tasks: count }] of found.entries()) {
        const before = found[place - 1];
        if (!before) continue;
        expect(count).toBe(before.tasks);
        expect(all).toBeLessThanOrEqual(before.all + 1e-12);
        expect(any).toBeGreaterThanOrEqual(before.any - 1e-12);
      }
    }),
  );
});

it('pass^k is a mean over all tasks that were judged', () => {
  const steady = { passed: 3, judged: 3 };
  const failing = { passed: 0, judged: 2 };
  expect(computeMeanPassWithK([steady, steady, failing, { passed: 0, judged: 0 }])).toEqual([
    { k: 2, any: 2 / 3, all: 2 / 3, tasks: 3 },
  ]);
  expect(computeMeanPassWithK([])).toEqual([]);
});

it('a task of a matrix is one task, and passes in every run only with every variant', () => {
  const figures = computePassFigures([
    { task: 'feed', outcomes: { ...makeOutcomeCounts(), passed: 4 } },
    { task: 'feed', outcomes: { ...makeOutcomeCounts(), passed: 3, failed: 1 } },
    { task: 'walk', outcomes: { ...makeOutcomeCounts(), passed: 4 } },
    { task: 'walk', outcomes: { ...makeOutcomeCounts(), passed: 4 } },
    { task: 'never', outcomes: makeOutcomeCounts() },
  ]);
  expect(figures).toMatchObject({ tasks: 2, tasksPassed: 1, taskRuns: 16 });
  expect(figures.rate).toMatchObject({ passed: 15, judged: 16 });
  expect(figures.passWithK.map(({ k, tasks }) => [k, tasks])).toEqual([
    [2, 4],
    [3, 4],
    [4, 4],
  ]);
});
