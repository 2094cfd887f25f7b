import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Silence } from './guard-protocol.js';

const limit = 1_000;
const lookEvery = 100;

/** Whether it was ever too long, with so many milliseconds before each look. */
function isTooLong(gaps: readonly number[], heardBefore: (look: number) => boolean): boolean {
  let now = 5_000;
  const silence = new Silence({ limit, lookEvery, now });
  return gaps.some((gap, look) => {
    if (heardBefore(look)) silence.heard();
    now += gap;
    return silence.isTooLong(now);
  });
}

const gap = fc.integer({ min: 0, max: 1_000_000 });

describe('silence', () => {
  it('is too long after the limit, and not before', () => {
    expect(isTooLong(Array(10).fill(lookEvery), () => false)).toBe(false);
    expect(isTooLong(Array(11).fill(lookEvery), () => false)).toBe(true);
  });

  it('does not count the time in which the guard itself was frozen', () => {
    const asleep = 8 * 3_600_000;
    expect(isTooLong([lookEvery, asleep, lookEvery, lookEvery], () => false)).toBe(false);
  });

  it('is never too long for one that speaks between any five looks, however late they are', () => {
    fc.assert(
      fc.property(fc.array(gap), (gaps) => {
        expect(isTooLong(gaps, (look) => look % 5 === 0)).toBe(false);
      }),
    );
  });

  it('is too long in the end, however late the looks are', () => {
    const late = fc.array(
      gap.map((more) => lookEvery + more),
      { minLength: 11 },
    );
    fc.assert(
      fc.property(late, (gaps) => {
        expect(isTooLong(gaps, () => false)).toBe(true);
      }),
    );
  });
});
