import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balancedShardOf } from './balanced-shard.js';

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
    balancedShardOf(runs, { index: index + 1, of }, weightOf),
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

describe('balancedShardOf', () => {
  it('is disjoint, complete and in order, whatever the durations', () => {
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

  it('is never worse than 4/3 - 1/(3N) of the best of all ways', () => {
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

  it('gives the longest first to who has least, the first of equals', () => {
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
    expect(balancedShardOf(runs, { index: 1, of: 199_999 }, weightOf)).toHaveLength(1);
    expect(balancedShardOf([], { index: 3, of: 3 }, weightOf)).toEqual([]);
  });
});
