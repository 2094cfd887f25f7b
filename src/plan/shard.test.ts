import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeastLoaded, parseShard, selectBalancedShard, selectShard, weighTasks } from './shard.js';

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

describe('selectShard', () => {
  const shards = (runs: { id: number; parallel: boolean }[], of: number) =>
    Array.from({ length: of }, (_, index) => selectShard(runs, { index: index + 1, of }));

  it('cuts shards that are disjoint, complete and in order', () => {
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

  it('balances the other shards to within one task run', () => {
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

  it('does not depend on how many task runs there could be', () => {
    expect(selectShard([{ parallel: true }], { index: 999_999, of: 999_999 })).toEqual([]);
  });
});

interface Run {
  id: number;
  parallel: boolean;
  weight: number;
}

const weights = fc.integer({ min: 1, max: 20 });

/** In the order of a plan: the sequential ones first. */
function planOf(most: { sequential: number; parallel: number }): fc.Arbitrary<Run[]> {
  return fc
    .tuple(
      fc.array(weights, { maxLength: most.sequential }),
      fc.array(weights, { maxLength: most.parallel }),
    )
    .map(([sequential, parallel]) =>
      [...sequential, ...parallel].map((weight, id) => ({
        id,
        parallel: id >= sequential.length,
        weight,
      })),
    );
}

const weightOf = ({ weight }: Run) => weight;
const loadOf = (runs: readonly Run[]) => runs.reduce((sum, { weight }) => sum + weight, 0);

function shardsOf(runs: readonly Run[], of: number): Run[][] {
  return Array.from({ length: of }, (_, index) =>
    selectBalancedShard(runs, { index: index + 1, of }, weightOf),
  );
}

/** The least load that the heaviest shard can have, found by trying every way. */
function bestHeaviest(runs: readonly Run[], of: number): number {
  const block = loadOf(runs.filter(({ parallel }) => !parallel));
  const loads = [block, ...Array.from({ length: of - 1 }, () => 0)];
  const parallel = runs.filter((run) => run.parallel);
  let best = Number.POSITIVE_INFINITY;
  const place = (next: number): void => {
    const run = parallel[next];
    if (!run) {
      best = Math.min(best, Math.max(...loads));
      return;
    }
    for (const [shard, load] of loads.entries()) {
      loads[shard] = load + run.weight;
      place(next + 1);
      loads[shard] = load;
    }
  };
  place(0);
  return best;
}

describe('selectBalancedShard', () => {
  it('cuts shards that are disjoint, complete and in order, whatever the durations', () => {
    const plan = planOf({ sequential: 20, parallel: 60 });
    fc.assert(
      fc.property(plan, fc.integer({ min: 1, max: 100 }), (runs, of) => {
        const shards = shardsOf(runs, of);
        const ids = shards.flat().map(({ id }) => id);
        expect(ids.sort((a, b) => a - b)).toEqual(runs.map(({ id }) => id));
        for (const shard of shards) {
          const own = shard.map(({ id }) => id);
          expect(own).toEqual([...own].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('keeps the sequential ones in shard 1', () => {
    fc.assert(
      fc.property(
        planOf({ sequential: 5, parallel: 30 }),
        fc.integer({ min: 1, max: 12 }),
        (runs, of) => {
          const [first = [], ...others] = shardsOf(runs, of);
          expect(first.filter(({ parallel }) => !parallel)).toEqual(
            runs.filter(({ parallel }) => !parallel),
          );
          expect(others.flat().every(({ parallel }) => parallel)).toBe(true);
        },
      ),
    );
  });

  it('makes the longest shard never worse than 4/3 - 1/(3N) of the best of all ways', () => {
    fc.assert(
      fc.property(
        planOf({ sequential: 3, parallel: 7 }),
        fc.integer({ min: 1, max: 4 }),
        (runs, of) => {
          const heaviest = Math.max(...shardsOf(runs, of).map(loadOf));
          expect(heaviest).toBeLessThanOrEqual(
            (4 / 3 - 1 / (3 * of)) * bestHeaviest(runs, of) + 1e-9,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leaves no shard with nothing while another could give it something', () => {
    fc.assert(
      fc.property(
        planOf({ sequential: 0, parallel: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (runs, of) => {
          const used = shardsOf(runs, of).filter((shard) => shard.length > 0);
          expect(used).toHaveLength(Math.min(of, runs.length));
        },
      ),
    );
  });

  const idsOf = (given: readonly [weight: number, parallel: boolean][], of: number) => {
    const runs = given.map(([weight, parallel], id) => ({ id, weight, parallel }));
    return shardsOf(runs, of).map((shard) => shard.map(({ id }) => id));
  };

  it('gives the longest task run first to the shard that has least, the first of equals', () => {
    const parallel = [3, 3, 5, 1, 3].map((weight) => [weight, true] as [number, boolean]);
    expect(idsOf(parallel, 2)).toEqual([
      [2, 4],
      [0, 1, 3],
    ]);
  });

  it('counts what is sequential as a load of shard 1, whenever its turn comes', () => {
    const block: [number, boolean][] = [
      [2, false],
      [2, false],
    ];
    // The one that takes longer than the block goes to the other shard, although it is placed first.
    expect(idsOf([...block, [5, true], [1, true]], 2)).toEqual([[0, 1, 3], [2]]);
    expect(idsOf([...block, [3, true], [1, true]], 2)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('takes very many task runs, and about as many shards', () => {
    const runs = Array.from({ length: 200_000 }, (_, id) => ({
      id,
      parallel: true,
      weight: 1 + (id % 97),
    }));
    expect(selectBalancedShard(runs, { index: 1, of: 199_999 }, weightOf)).toHaveLength(1);
    expect(selectBalancedShard([], { index: 3, of: 3 }, weightOf)).toEqual([]);
  });
});

const task = (name: string, count = 1) => ({ name, runs: { count }, parallel: true });
const durations = (all: Record<string, number>) => new Map(Object.entries(all));
const digestOf = (
  tasks: ReturnType<typeof task>[],
  all: Record<string, number>,
  variants?: string[],
) => weighTasks(tasks, durations(all), variants)?.digest;

describe('weighTasks', () => {
  it('takes known durations, and their mean for other tasks', () => {
    const tasks = [task('a'), task('b'), task('new')];
    const weights = weighTasks(tasks, durations({ a: 100.4, b: 301, 'not in the plan': 9e9 }));
    expect(tasks.map((each) => weights?.weightOf(each))).toEqual([100, 301, 201]);
  });

  it('makes weights whole milliseconds, and at least one', () => {
    const weights = weighTasks([task('a')], durations({ a: 0.2 }));
    expect(weights?.weightOf(task('a'))).toBe(1);
  });

  it('gives no weights where no duration is known', () => {
    expect(weighTasks([task('a')], durations({ b: 5 }))).toBeUndefined();
  });

  it('digests all that decides the cut, and nothing else', () => {
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

it('LeastLoaded adds to the bin that a search through all bins finds', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), weights, (bins, all) => {
      const loads = Array.from({ length: bins }, () => 0);
      const leastLoaded = new LeastLoaded(bins);
      for (const weight of all) {
        const first = loads.indexOf(Math.min(...loads));
        loads[first] = (loads[first] ?? 0) + weight;
        expect(leastLoaded.add(weight)).toBe(first);
      }
    }),
  );
});
