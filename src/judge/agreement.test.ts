import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LabelledVerdict, measureAgreement } from './agreement.js';

const verdict = fc.record({
  expected: fc.boolean(),
  passed: fc.constantFrom(true, false, null),
});

function verdicts(counts: readonly [boolean, boolean | null, number][]): LabelledVerdict[] {
  return counts.flatMap(([expected, passed, count]) =>
    Array.from({ length: count }, () => ({ expected, passed })),
  );
}

describe('agreementOf', () => {
  it('counts each way in which judge and people can meet', () => {
    const agreement = measureAgreement(
      verdicts([
        [true, true, 20],
        [true, false, 5],
        [false, true, 10],
        [false, false, 15],
        [true, null, 2],
        [false, null, 1],
      ]),
    );
    expect(agreement).toMatchObject({
      cases: 53,
      errors: 3,
      truePasses: 20,
      falseFails: 5,
      falsePasses: 10,
      trueFails: 15,
      agreed: 35,
      agreement: 0.7,
    });
    expect(agreement.kappa).toBeCloseTo(0.4, 12);
  });

  it('knows nothing of a judge that never gave a verdict', () => {
    const agreement = measureAgreement(
      verdicts([
        [true, null, 2],
        [false, null, 3],
      ]),
    );
    expect(agreement).toMatchObject({
      cases: 5,
      errors: 5,
      agreed: 0,
      agreement: null,
      interval: null,
      kappa: null,
    });
  });

  it('has no kappa for answers of one kind that are all judged right', () => {
    expect(measureAgreement(verdicts([[true, true, 4]]))).toMatchObject({
      agreement: 1,
      kappa: null,
    });
    expect(measureAgreement(verdicts([[false, false, 4]]))).toMatchObject({
      agreement: 1,
      kappa: null,
    });
  });

  it('leaves no case out, and counts none twice', () => {
    fc.assert(
      fc.property(fc.array(verdict), (given) => {
        const { cases, errors, truePasses, trueFails, falsePasses, falseFails, agreed } =
          measureAgreement(given);
        expect(truePasses + trueFails + falsePasses + falseFails + errors).toBe(cases);
        expect(agreed).toBe(truePasses + trueFails);
        expect(cases).toBe(given.length);
      }),
    );
  });

  it('is not moved by answers without a verdict', () => {
    fc.assert(
      fc.property(fc.array(verdict), (given) => {
        const { cases: _, errors: __, ...all } = measureAgreement(given);
        const {
          cases: ___,
          errors,
          ...judged
        } = measureAgreement(given.filter(({ passed }) => passed !== null));
        expect(errors).toBe(0);
        expect(all).toEqual(judged);
      }),
    );
  });

  it('has a kappa of 1 exactly for a judge that is always right about both kinds', () => {
    fc.assert(
      fc.property(fc.array(verdict), (given) => {
        const { agreement, kappa, truePasses, trueFails } = measureAgreement(given);
        const isPerfect = agreement === 1 && truePasses > 0 && trueFails > 0;
        expect(kappa === 1).toBe(isPerfect);
      }),
    );
  });
});
