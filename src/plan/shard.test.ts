import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseShard, shardOf } from './shard.js';

describe('parseShard', () => {
  it('reads I/N', () => {
    expect(parseShard('2/3')).toEqual({ index: 2, of: 3 });
  });

  it.each(['', '1', '0/3', '4/3', '1/0', '-1/3', '1/3/5', 'a/b', '1.5/2', ' 1/2', '1e1/20'])(
    'refuses %j',
    (text) => {
      expect(parseShard(text)).toMatch(/^(expected|there is no)/);
    },
  );
});

const plan = fc
  .tuple(fc.nat(40), fc.nat(60))
  .map(([sequential, parallel]) =>
    Array.from({ length: sequential + parallel }, (_, id) => ({ id, parallel: id >= sequential })),
  );

describe('shardOf', () => {
  const shards = (runs: { id: number; parallel: boolean }[], of: number) =>
    Array.from({ length: of }, (_, index) => shardOf(runs, { index: index + 1, of }));

  it('is disjoint, complete and in order', () => {
    fc.assert(
      fc.property(plan, fc.integer({ min: 1, max: 12 }), (runs, of) => {
        const parts = shards(runs, of);
        const ids = parts.flat().map(({ id }) => id);
        expect([...ids].sort((a, b) => a - b)).toEqual(runs.map(({ id }) => id));
        for (const part of parts) {
          const own = part.map(({ id }) => id);
          expect(own).toEqual([...own].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('keeps the sequential ones in shard 1', () => {
    fc.assert(
      fc.property(plan, fc.integer({ min: 1, max: 12 }), (runs, of) => {
        const [first = [], ...others] = shards(runs, of);
        const block = first.filter((run) => !run.parallel);
        expect(block).toEqual(runs.filter((run) => !run.parallel));
        expect(others.flat().every((run) => run.parallel)).toBe(true);
      }),
    );
  });

  it('is balanced to within one around the block', () => {
    fc.assert(
      fc.property(plan, fc.integer({ min: 2, max: 12 }), (runs, of) => {
        const [first = [], ...others] = shards(runs, of);
        const sizes = others.map((part) => part.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        if (first.some((run) => run.parallel)) {
          const all = [first.length, ...sizes];
          expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(1);
        } else {
          expect(first.length + 1).toBeGreaterThanOrEqual(Math.max(...sizes));
        }
      }),
    );
  });

  it('does not depend on how many there could be', () => {
    expect(shardOf([{ parallel: true }], { index: 999_999, of: 999_999 })).toEqual([]);
  });
});
