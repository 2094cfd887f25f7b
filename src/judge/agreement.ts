import { cohensKappa } from '../base/statistics/cohens-kappa.js';
import { type Interval, wilsonInterval } from '../base/statistics/intervals.js';

/** A judge's verdict on an answer that people have labelled. */
export interface LabelledVerdict {
  expected: boolean;
  /** Null: the judge gave no verdict. */
  passed: boolean | null;
}

/** How far a judge agrees with people. Answers without a verdict count only in `errors`. */
export interface Agreement {
  cases: number;
  errors: number;
  /** Right answers that passed, and wrong ones that did not. */
  truePasses: number;
  trueFails: number;
  /** Wrong answers that passed, and right ones that did not. */
  falsePasses: number;
  falseFails: number;
  agreed: number;
  /** Share of agreement among answers with a verdict; null without any. */
  agreement: number | null;
  /** Interval of 95 percent. */
  interval: Interval | null;
  /** Null where it is not defined: judge and people gave every answer the same verdict. */
  kappa: number | null;
}

export function measureAgreement(verdicts: readonly LabelledVerdict[]): Agreement {
  const count = (expected: boolean, passed: boolean) =>
    verdicts.filter((verdict) => verdict.expected === expected && verdict.passed === passed).length;
  const truePasses = count(true, true);
  const trueFails = count(false, false);
  const falsePasses = count(false, true);
  const falseFails = count(true, false);
  const agreed = truePasses + trueFails;
  const judged = agreed + falsePasses + falseFails;
  const kappa = cohensKappa({
    bothYes: truePasses,
    bothNo: trueFails,
    onlyFirst: falseFails,
    onlySecond: falsePasses,
  });
  return {
    cases: verdicts.length,
    errors: verdicts.length - judged,
    truePasses,
    trueFails,
    falsePasses,
    falseFails,
    agreed,
    agreement: judged === 0 ? null : agreed / judged,
    interval: wilsonInterval(agreed, judged) ?? null,
    kappa: kappa ?? null,
  };
}
