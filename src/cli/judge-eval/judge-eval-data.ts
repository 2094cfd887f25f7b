import { type JudgeMode, judgeModes } from '../../journal/step-events.js';
import { sumJudgeUsage } from '../../journal/usage.js';
import { type Agreement, agreementOf } from '../../judge/agreement.js';
import type { JudgedCase, JudgeMeasurement } from './judged-case.js';

export function agreementOfCases(cases: readonly JudgedCase[]): Agreement {
  return agreementOf(
    cases.map(({ case: { expected }, judgement: { passed } }) => ({ expected, passed })),
  );
}

/** By mode, for those that occur. */
export function agreementByMode(cases: readonly JudgedCase[]): [JudgeMode, Agreement][] {
  return judgeModes.flatMap((mode) => {
    const ofMode = cases.filter((each) => each.case.mode === mode);
    return ofMode.length === 0 ? [] : [[mode, agreementOfCases(ofMode)] as [JudgeMode, Agreement]];
  });
}

/** What asking took, as far as the judge reports it. */
export function spendingOf(cases: readonly JudgedCase[]) {
  return sumJudgeUsage(cases.map(({ judgement }) => judgement));
}

/** What `judge-eval -o json` prints. */
export function judgeEvalAsData({ judge, file, votes, planned, cases, missed }: JudgeMeasurement) {
  const { usage = null, cost = null } = spendingOf(cases);
  return {
    judge,
    file,
    votes,
    planned,
    totals: agreementOfCases(cases),
    byMode: Object.fromEntries(agreementByMode(cases)),
    missed,
    usage,
    cost,
    cases: cases.map(({ case: { name, line, expected }, judgement }) => ({
      name,
      line,
      expected,
      ...judgement,
    })),
  };
}
