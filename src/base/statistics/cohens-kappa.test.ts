import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohensKappa, describeKappa, type Ratings } from './cohens-kappa.js';

const count = fc.integer({ min: 0, max: 10_000 });
const ratings = fc.record({ bothYes: count, bothNo: count, onlyFirst: count, onlySecond: count });

/** As the textbook writes it: what was observed over what chance gives. */
function textbookKappa({ bothYes, bothNo, onlyFirst, onlySecond }: Ratings): number {
  const total = bothYes + bothNo + onlyFirst + onlySecond;
  const observed = (bothYes + bothNo) / total;
  const yes = ((bothYes + onlyFirst) / total) * ((bothYes + onlySecond) / total);
  const no = ((bothNo + onlySecond) / total) * ((bothNo + onlyFirst) / total);
  return (observed - yes - no) / (1 - yes - no);
}

describe('cohensKappa', () => {
  it.each([
    // 35 of 50 agree; chance gives 25/50 * 30/50 + 25/50 * 20/50 = 0.5.
    [{ bothYes: 20, onlyFirst: 5, onlySecond: 10, bothNo: 15 }, 0.4],
    // 60 of 100 agree; chance gives 0.6 * 0.7 + 0.4 * 0.3 = 0.54.
    [{ bothYes: 45, onlyFirst: 15, onlySecond: 25, bothNo: 15 }, 0.06 / 0.46],
    [{ bothYes: 3, onlyFirst: 0, onlySecond: 0, bothNo: 2 }, 1],
    [{ bothYes: 0, onlyFirst: 4, onlySecond: 4, bothNo: 0 }, -1],
    // One rater says only yes: no better than chance.
    [{ bothYes: 9, onlyFirst: 1, onlySecond: 0, bothNo: 0 }, 0],
  ])('of %o is %f, computed by hand', (given, kappa) => {
    expect(cohensKappa(given)).toBeCloseTo(kappa, 12);
  });

  it.each([
    { bothYes: 5, onlyFirst: 0, onlySecond: 0, bothNo: 0 },
    { bothYes: 0, onlyFirst: 0, onlySecond: 0, bothNo: 5 },
    { bothYes: 0, onlyFirst: 0, onlySecond: 0, bothNo: 0 },
  ])('of %o is unknown, as chance alone would agree always', (given) => {
    expect(cohensKappa(given)).toBeUndefined();
  });

  it('lies between -1 and 1', () => {
    fc.assert(
      fc.property(ratings, (given) => {
        const kappa = cohensKappa(given) ?? 0;
        expect(kappa).toBeGreaterThanOrEqual(-1);
        expect(kappa).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is what the textbook says, wherever that says anything', () => {
    fc.assert(
      fc.property(ratings, (given) => {
        const kappa = cohensKappa(given);
        fc.pre(kappa !== undefined);
        expect(kappa).toBeCloseTo(textbookKappa(given), 6);
      }),
    );
  });

  it('is the same if the raters are swapped, and if yes and no are swapped', () => {
    fc.assert(
      fc.property(ratings, ({ bothYes, bothNo, onlyFirst, onlySecond }) => {
        const kappa = cohensKappa({ bothYes, bothNo, onlyFirst, onlySecond });
        const swapped = { bothYes, bothNo, onlyFirst: onlySecond, onlySecond: onlyFirst };
        expect(cohensKappa(swapped)).toBe(kappa);
        expect(cohensKappa({ ...swapped, bothYes: bothNo, bothNo: bothYes })).toBe(kappa);
      }),
    );
  });

  it('is 1 for raters that agree on some of each', () => {
    const some = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(some, some, (bothYes, bothNo) => {
        expect(cohensKappa({ bothYes, bothNo, onlyFirst: 0, onlySecond: 0 })).toBe(1);
      }),
    );
  });

  it('is below 1 as soon as they disagree once', () => {
    fc.assert(
      fc.property(ratings, (given) => {
        fc.pre(given.onlyFirst + given.onlySecond > 0);
        expect(cohensKappa(given)).toBeLessThan(1);
      }),
    );
  });
});

describe('strengthOf', () => {
  it.each([
    [-0.1, 'worse than chance'],
    [0, 'slight'],
    [0.2, 'slight'],
    [0.21, 'fair'],
    [0.5, 'moderate'],
    [0.61, 'substantial'],
    [0.8, 'substantial'],
    [0.81, 'almost perfect'],
    [1, 'almost perfect'],
  ])('calls %f %s', (kappa, word) => {
    expect(describeKappa(kappa)).toBe(word);
  });
});
