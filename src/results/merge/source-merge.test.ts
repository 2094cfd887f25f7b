import { describe, expect, it } from 'vitest';
import type { ResultsSource } from '../schema/results-schema.js';
import { buildMergedHead, mergeWarnings } from './source-merge.js';

const source = (id: string, more: Partial<ResultsSource> = {}): ResultsSource => ({
  ...{ proctor: '0.1.0', id, eval: { name: 'pets', file: 'eval.yaml' }, journal: `${id}.jsonl` },
  ...{ startedAt: '2026-01-01T00:00:00.000Z', durationMs: 10, agent: null, judge: null },
  ...{ options: { runs: 3 }, environment: { node: 'v22', platform: 'linux', arch: 'x64' } },
  ...{ finished: true, interrupted: false, bailed: false, budget: null, resumed: 0 },
  ...{ planned: 1, warnings: [] },
  ...more,
});
const warning = { seq: 1, code: 'server-exited', message: 'it ended' };

describe('headOfSources', () => {
  it('says of a single evaluation what it says of itself', () => {
    const { planned: _, warnings: __, ...head } = source('a');
    expect(buildMergedHead([source('a')])).toEqual(head);
  });

  it('says of several only what is true of all', () => {
    const agent = { name: 'x', type: 'scripted' };
    const budget = { kind: 'tokens', limit: 10, spent: 12 } as const;
    const other = source('b', { agent, bailed: true, budget });
    const several = [source('a', { durationMs: null }), other];
    expect(buildMergedHead(several)).toMatchObject({
      ...{ journal: null, durationMs: 10, agent, options: {}, environment: null, bailed: true },
      budget,
    });
    expect(buildMergedHead(several).id).not.toBe(buildMergedHead([source('a'), source('c')]).id);
  });
});

describe('warningsOfSources', () => {
  it('counts those that it leaves out, and that were left out before', () => {
    const many = Array.from({ length: 60 }, () => warning);
    const first = source('a', { warnings: many, moreWarnings: 5 });
    const both = mergeWarnings([first, source('b', { warnings: many })]);
    expect(both).toMatchObject({ moreWarnings: 25 });
    expect(both.warnings).toHaveLength(100);
    expect(mergeWarnings([source('a')])).toEqual({ warnings: [] });
  });
});
