import { describe, expect, it } from 'vitest';
import { shardWeights } from './shard-weights.js';

const task = (name: string, count = 1) => ({ name, runs: { count }, parallel: true });
const durations = (all: Record<string, number>) => new Map(Object.entries(all));
const digestOf = (
  tasks: ReturnType<typeof task>[],
  all: Record<string, number>,
  variants?: string[],
) => shardWeights(tasks, durations(all), variants)?.digest;

describe('shardWeights', () => {
  it('are what is known, and for other tasks the mean of it', () => {
    const tasks = [task('a'), task('b'), task('new')];
    const weights = shardWeights(tasks, durations({ a: 100.4, b: 301, 'not in the plan': 9e9 }));
    expect(tasks.map((each) => weights?.weightOf(each))).toEqual([100, 301, 201]);
  });

  it('are whole, and never nothing', () => {
    const weights = shardWeights([task('a')], durations({ a: 0.2 }));
    expect(weights?.weightOf(task('a'))).toBe(1);
  });

  it('are none where nothing is known', () => {
    expect(shardWeights([task('a')], durations({ b: 5 }))).toBeUndefined();
  });

  it('have a digest of all that decides, and of nothing else', () => {
    const digest = digestOf([task('a'), task('b')], { a: 100, b: 200 });
    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    expect(digestOf([task('a'), task('b')], { b: 200.3, other: 7, a: 99.9 })).toBe(digest);
    expect(digestOf([task('a'), task('b')], { a: 100, b: 201 })).not.toBe(digest);
    expect(digestOf([task('b'), task('a')], { a: 100, b: 200 })).not.toBe(digest);
    expect(digestOf([task('a', 2), task('b')], { a: 100, b: 200 })).not.toBe(digest);
    expect(digestOf([task('a')], { a: 100, b: 200 })).not.toBe(digest);
    const alone = { ...task('a'), parallel: false };
    expect(digestOf([alone, task('b')], { a: 100, b: 200 })).not.toBe(digest);
    const matrices = [['x', 'y'], ['y', 'x'], ['x']].map((variants) =>
      digestOf([task('a'), task('b')], { a: 100, b: 200 }, variants),
    );
    expect(new Set([digest, ...matrices]).size).toBe(4);
  });
});
