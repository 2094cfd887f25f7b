import type { JudgeCase } from '../../config/judge-cases-file.js';
import { defaultStepTimeoutMs } from '../../config/step-timeout.js';
import { mergeLimits } from '../../run/prepare/prepare-eval.js';
import { createListedWork, runScheduled } from '../../run/schedule/scheduler.js';
import type { CommandIo } from '../io.js';
import { withJudge } from '../judging/with-judge.js';
import type { ChosenJudge } from './chosen-judge.js';
import type { JudgeEvalOptions } from './judge-eval-options.js';
import type { JudgedCase, JudgeMeasurement } from './judged-case.js';

export interface Measured extends Pick<JudgeMeasurement, 'judge' | 'cases'> {
  isInterrupted: boolean;
}

/** Asks a judge about every case. Throws UsageError if it is not fit to be asked. */
export async function measureJudge(
  cases: readonly JudgeCase[],
  { definition, limits }: ChosenJudge,
  { votes, parallel }: JudgeEvalOptions,
  io: CommandIo,
  redact: (text: string) => string,
): Promise<Measured> {
  const { judge, result, isInterrupted } = await withJudge(
    { definition, limits: mergeLimits(limits), answers: cases.length, io, redact },
    async ({ ask, onJudged, signal }) => {
      const judged = new Map<JudgeCase, JudgedCase>();
      await runScheduled(createListedWork(cases.map((each) => ({ each, parallel: true }))), {
        parallel,
        isOver: () => signal.aborted,
        run: async ({ each }) => {
          const { mode, reference, prompt, answer } = each;
          const question = { mode, reference, prompt, answer, votes };
          const judgement = await ask(question, defaultStepTimeoutMs);
          // It was stopped, which says nothing about the judge.
          if (signal.aborted && judgement.passed === null) return;
          judged.set(each, { case: each, judgement });
          onJudged();
        },
      });
      return judged;
    },
  );
  return { judge, cases: cases.flatMap((each) => result.get(each) ?? []), isInterrupted };
}
