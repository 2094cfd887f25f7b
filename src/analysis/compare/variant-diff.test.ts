import { describe, expect, it } from 'vitest';
import { resultsSample } from '../../../testing/report-samples.js';
import { selectVariants } from '../../results/read/variant-selection.js';
import { diffResults } from '../diff/diff-results.js';
import { compareVariants } from './compare-variants.js';
import { formatComparisonHeadline } from './comparison-text.js';
import { applyComparisonVerdicts } from './variant-diff.js';

const variants = ['good', 'bad', 'idle'].map((name) => ({
  name,
  agent: { name, type: 'scripted' },
}));

async function verdictsOf(runs: Record<'good' | 'bad' | 'idle', string>) {
  const sample = resultsSample(
    Object.fromEntries(
      Object.entries(runs).map(([variant, letters]) => [
        `feed ${variant}`,
        { runs: letters, prompt: 'Feed the cat.', change: { task: 'feed', variant } },
      ]),
    ),
    { agent: null, variants },
  );
  const comparison = await compareVariants(sample);
  const [base, current] = [
    await selectVariants(sample, (name) => name === 'bad'),
    await selectVariants(sample, (name) => name === 'good'),
  ];
  const diff = await diffResults(base, current, { allowDifferent: true });
  const found = applyComparisonVerdicts(diff, comparison, { base: 'bad', current: 'good' });
  const verdicts = ({ tasks }: typeof diff) => tasks.map(({ verdict }) => verdict);
  return { comparison, alone: verdicts(diff), found, verdicts: verdicts(found) };
}

describe('diffOfVariants', () => {
  it('calls nothing better that the comparison of all variants does not', async () => {
    const { comparison, alone, found, verdicts } = await verdictsOf({
      good: 'PPPPP',
      bad: 'PFFFF',
      idle: 'PPPFF',
    });
    expect(formatComparisonHeadline(comparison)).toBe('not enough data to compare the variants');
    expect(alone).toEqual(['improvement']);
    expect(verdicts).toEqual(['not enough data']);
    expect(found.headline).toEqual({
      tone: 'open',
      text: 'not enough data to compare the variants',
    });
  });

  it('keeps a difference that stands against all of them', async () => {
    const { comparison, found, verdicts } = await verdictsOf({
      good: 'P'.repeat(20),
      bad: 'F'.repeat(20),
      idle: 'P'.repeat(20),
    });
    expect(verdicts).toEqual(['improvement']);
    expect(found.headline).toMatchObject({ tone: 'better' });
    expect(formatComparisonHeadline(comparison)).toContain('better than bad');
  });
});
