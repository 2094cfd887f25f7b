import type { JudgeCase } from '../../config/files/judge-cases-file.js';
import { defaultStepTimeoutMs } from '../../config/schemas/step-schemas.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import { type JudgeMode, type Judgement, judgeModes } from '../../journal/step-events.js';
import { sumJudgeUsage } from '../../journal/usage.js';
import { type Agreement, measureAgreement } from '../../judge/agreement.js';
import type { ChosenJudge } from '../../run/judging.js';
import { withJudge } from '../judging/judge-session.js';
import type { CommandIo } from '../terminal/output.js';
import type { JudgeEvalOptions, Thresholds } from './judge-eval-options.js';

export interface Measured extends Pick<JudgeMeasurement, 'judge' | 'cases'> {
  isInterrupted: boolean;
}

/** Asks a judge about every case. Throws UsageError if it is not fit to be asked. */
export async function measureJudge(
  cases: readonly JudgeCase[],
  chosen: ChosenJudge,
  { votes, parallel }: JudgeEvalOptions,
  io: CommandIo,
  redact: (text: string) => string,
): Promise<Measured> {
  const { judge, result, isInterrupted } = await withJudge(
    { judge: chosen, answers: cases.length, io, redact },
    async ({ ask, onJudged, signal }) => {
      const judged = new Map<JudgeCase, JudgedCase>();
      const waiting = cases.values();
      const judgeNext = async () => {
        for (const each of waiting) {
          if (signal.aborted) return;
          const { mode, reference, prompt, answer } = each;
          const question = { mode, reference, prompt, answer, votes };
          const judgement = await ask(question, defaultStepTimeoutMs);
          // It was stopped, which says nothing about the judge.
          if (signal.aborted && judgement.passed === null) return;
          judged.set(each, { case: each, judgement });
          onJudged();
        }
      };
      await Promise.all(Array.from({ length: parallel }, judgeNext));
      return judged;
    },
  );
  return { judge, cases: cases.flatMap((each) => result.get(each) ?? []), isInterrupted };
}

/** A case, and what the judge said of it. */
export interface JudgedCase {
  case: JudgeCase;
  judgement: Judgement;
}

/** Everything that `judge-eval` reports about a judge. */
export interface JudgeMeasurement {
  judge: AgentIdentity;
  /** Path of the cases file, as the command line names it. */
  file: string;
  votes: number;
  /** How many cases the file has. */
  planned: number;
  /** In the order of the file; those that were not asked any more are missing. */
  cases: JudgedCase[];
  missed: MissedThreshold[];
}

export function measureCaseAgreement(cases: readonly JudgedCase[]): Agreement {
  return measureAgreement(
    cases.map(({ case: { expected }, judgement: { passed } }) => ({ expected, passed })),
  );
}

/** By mode, for those that occur. */
export function measureAgreementByMode(cases: readonly JudgedCase[]): [JudgeMode, Agreement][] {
  return judgeModes.flatMap((mode) => {
    const ofMode = cases.filter((each) => each.case.mode === mode);
    return ofMode.length === 0
      ? []
      : [[mode, measureCaseAgreement(ofMode)] as [JudgeMode, Agreement]];
  });
}

/** Tokens and cost of judging, as far as the judge reports them. */
export function sumSpending(cases: readonly JudgedCase[]) {
  return sumJudgeUsage(cases.map(({ judgement }) => judgement));
}

/** The data that `judge-eval -o json` prints. */
export function judgeEvalAsData({ judge, file, votes, planned, cases, missed }: JudgeMeasurement) {
  const { usage = null, cost = null } = sumSpending(cases);
  return {
    judge,
    file,
    votes,
    planned,
    totals: measureCaseAgreement(cases),
    byMode: Object.fromEntries(measureAgreementByMode(cases)),
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

/** A threshold that a judge did not reach. */
export interface MissedThreshold {
  option: string;
  limit: number;
  /** Null: it could not be measured, which is no way to reach it. */
  found: number | null;
}

export function findMissedThresholds(
  { minAgreement, minKappa, maxFalsePasses }: Thresholds,
  agreement: Agreement,
): MissedThreshold[] {
  return [
    ...checkMinimum('--min-agreement', minAgreement, agreement.agreement),
    ...checkMinimum('--min-kappa', minKappa, agreement.kappa),
    ...checkMaximum('--max-false-passes', maxFalsePasses, countFalsePasses(agreement)),
  ];
}

function checkMinimum(option: string, limit: number | undefined, found: number | null) {
  const isMissed = limit !== undefined && (found === null || found < limit);
  return isMissed ? [{ option, limit, found }] : [];
}

function checkMaximum(option: string, limit: number | undefined, found: number | null) {
  const isMissed = limit !== undefined && (found === null || found > limit);
  return isMissed ? [{ option, limit, found }] : [];
}

/** Where no wrong answer was judged, none could have passed. */
function countFalsePasses({ falsePasses, trueFails }: Agreement): number | null {
  return falsePasses + trueFails === 0 ? null : falsePasses;
}
