import { describe, expect, it } from 'vitest';
import { resultsSample } from '../../testing/report-samples.js';
import { diffResults } from './diff-results.js';
import { amountChanges, points } from './diff-words.js';

describe('points', () => {
  it.each([
    [0.125, '+12.5'],
    [-0.3, '-30.0'],
    [0, '0.0'],
    [-0.0001, '0.0'],
  ])('of %f are %s', (difference, text) => {
    expect(points(difference)).toBe(text);
  });
});

describe('amountChanges', () => {
  it('tells what changed by how much, and nothing of what nobody tells', async () => {
    const calls = (tool: number) => ({ tool, resource: 1, prompt: 0, errors: 0, tokens: 0 });
    const sample = (id: string, tool: number, durationMs: number, cost: number) =>
      resultsSample(
        {
          feed: {
            runs: 'PPPP',
            change: { callCounts: calls(tool), durationMs, cost, usage: null },
          },
        },
        { id },
      );
    const diff = await diffResults(sample('a', 3, 1000, 0), sample('b', 5, 1000, 0.5));
    expect(amountChanges(diff.total)).toEqual([
      { what: 'duration', amount: 'durationMs', before: 1000, now: 1000, change: 'same' },
      { what: 'calls', amount: 'calls', before: 4, now: 6, change: '+50.0%' },
      { what: 'cost', amount: 'cost', before: 0, now: 0.5, change: 'new' },
    ]);
  });
});
