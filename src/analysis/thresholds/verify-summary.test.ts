import { describe, expect, it } from 'vitest';
import { resultsSample } from '../../../testing/report-samples.js';
import type { ResultsHeader } from '../../results/results-header.js';
import { summarize } from '../summary/summarize.js';
import type { Thresholds } from './thresholds.js';
import { verifySummary } from './verify-summary.js';

const variants = ['good', 'bad'].map((name) => ({ name, agent: { name, type: 'scripted' } }));

async function verified(
  runs: { good?: string; bad?: string },
  thresholds: Omit<Thresholds, 'passHatK'> & Partial<Thresholds>,
  header: Partial<ResultsHeader> = {},
) {
  const sample = resultsSample(
    Object.fromEntries(
      Object.entries(runs).map(([variant, letters]) => [
        `feed ${variant}`,
        { runs: letters, change: { task: 'feed', variant, cost: 1 } },
      ]),
    ),
    { agent: null, variants, ...header },
  );
  const whole = { passHatK: [], ...thresholds };
  const { passed, thresholds: checks } = verifySummary(await summarize(sample), whole, {
    allowUnfinished: true,
  });
  return { passed, checks: checks.map(({ option, variant, holds }) => [option, variant, holds]) };
}

it('pass^k counts every task that has as many judged runs, also if others have more', async () => {
  const summary = await summarize(resultsSample({ a: 'PPP', b: 'PPP', c: 'FFE' }));
  const check = (k: number) => {
    const thresholds = { passHatK: [{ k, rate: 0.9 }] };
    return verifySummary(summary, thresholds, { allowUnfinished: true }).thresholds[0];
  };
  expect(check(2)).toMatchObject({ found: 2 / 3, holds: false, note: 'mean over 3 tasks' });
  expect(check(3)).toMatchObject({
    found: 1,
    note: 'mean over 2 tasks; 1 with fewer runs left out',
  });
  expect(check(4)).toMatchObject({ found: null, holds: false });
});

it('--max-cost is missed at its very limit if one task run does not report its cost', async () => {
  const check = async (unreported: number | null) => {
    const summary = await summarize(
      resultsSample({
        a: { runs: 'P', change: { cost: 3 } },
        b: { runs: 'P', change: { cost: unreported } },
      }),
    );
    const thresholds = { passHatK: [], maxCost: 3 };
    return verifySummary(summary, thresholds, { allowUnfinished: true }).thresholds[0];
  };
  expect(await check(0)).toMatchObject({ found: 3, holds: true });
  const note = 'not reported by 1 task run';
  expect(await check(null)).toMatchObject({ found: null, holds: false, note });
});

describe('thresholds of a matrix', () => {
  it('have to hold for each variant: an average must not hide a bad one', async () => {
    expect(await verified({ good: 'PPPP', bad: 'PFFF' }, { task: 0.6 })).toEqual({
      passed: false,
      checks: [
        ['--task', 'good', true],
        ['--task', 'bad', false],
      ],
    });
    const passHatK = [{ k: 2, rate: 0.5 }];
    expect(await verified({ good: 'PPPP', bad: 'PPFF' }, { passHatK })).toMatchObject({
      passed: false,
      checks: [
        ['--pass-hat-k 2', 'good', true],
        ['--pass-hat-k 2', 'bad', false],
      ],
    });
  });

  it('hold spending for the whole', async () => {
    expect(await verified({ good: 'PP', bad: 'PP' }, { maxCost: 3 })).toEqual({
      passed: false,
      checks: [['--max-cost', null, false]],
    });
    expect((await verified({ good: 'PP', bad: 'PP' }, { maxCost: 4 })).passed).toBe(true);
  });

  it('see a variant that could hardly be judged among others that could', async () => {
    const { passed, checks } = await verified({ good: 'PPPPPPPP', bad: 'PEEE' }, { task: 0.5 });
    expect(passed).toBe(false);
    expect(checks).toContainEqual(['--max-errors, not given', 'bad', false]);
  });

  it('are missed by a variant that never came to its turn', async () => {
    for (const planned of [2, 4]) {
      expect(await verified({ good: 'PP' }, { task: 0.5 }, { planned })).toEqual({
        passed: false,
        checks: [
          ['--task', 'good', true],
          ['--task', 'bad', false],
        ],
      });
    }
    // Those that passed were not to be run again; and the others are in other shards.
    const again = { id: 'again', planned: 2, reruns: ['again'] };
    expect((await verified({ good: 'PP' }, { task: 0.5 }, again)).passed).toBe(true);
    const shards = [{ evaluation: 'sample', index: 1, of: 2, cutBy: null }];
    expect((await verified({ good: 'PP' }, { task: 0.5 }, { shards })).passed).toBe(true);
  });
});
