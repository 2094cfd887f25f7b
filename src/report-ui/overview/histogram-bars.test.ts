import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBin, makeBins } from './histogram-bars.js';

const amounts = fc.array(fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true })), {
  minLength: 1,
});

describe('makeBins', () => {
  it('a histogram has a bin for every value, between ascending edges', () => {
    fc.assert(
      fc.property(amounts, (values) => {
        const bins = makeBins(values);
        if (!bins) throw new Error('there are values');
        const { edges } = bins;
        expect(edges.length).toBeLessThanOrEqual(31);
        expect(edges.every((edge, place) => place === 0 || edge > (edges[place - 1] ?? 0))).toBe(
          true,
        );
        for (const value of values) {
          const bin = findBin(bins, value);
          expect(bin).toBeGreaterThanOrEqual(0);
          expect(bin).toBeLessThan(edges.length - 1);
          expect(value).toBeLessThanOrEqual((edges[bin + 1] ?? 0) * 1.000_001 + 1e-6);
        }
      }),
    );
  });

  it('a histogram has round edges where values are close together', () => {
    expect(makeBins([10, 12, 14, 19, 20])).toEqual({
      edges: [10, 12, 14, 16, 18, 20, 22],
      scale: 'linear',
    });
  });

  it('a histogram is logarithmic where a few values are far away', () => {
    const bins = makeBins([10, 11, 12, 13, 1000]);
    expect(bins?.scale).toBe('log');
    expect(bins?.edges[0]).toBeCloseTo(10);
  });

  it('a histogram has one bin for equal values, and none without values', () => {
    expect(makeBins([5, 5, 5])?.edges).toHaveLength(2);
    expect(makeBins([0])?.edges).toHaveLength(2);
    expect(makeBins([])).toBeUndefined();
  });
});
