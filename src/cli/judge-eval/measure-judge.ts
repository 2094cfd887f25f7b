import type { AgentDefinition } from '../../agents/agent.js';
import type { JudgeCase } from '../../config/judge-cases-file.js';
import { defaultStepTimeoutMs } from '../../config/step-timeout.js';
import { runScheduled } from '../../run/scheduler.js';
import type { CommandIo } from '../io.js';
import { JudgeProgress } from '../judging/judge-progress.js';
import { JudgeSession } from '../judging/judge-session.js';
import { onStopSignal } from '../until-stopped.js';
import type { JudgeEvalOptions } from './judge-eval-options.js';
import type { JudgedCase, JudgeMeasurement } from './judged-case.js';

export interface Measured extends Pick<JudgeMeasurement, 'judge' | 'cases'> {
  isInterrupted: boolean;
}

/** Asks a judge about every case. Throws UsageError if it is not fit to be asked. */
export async function measureJudge(
  cases: readonly JudgeCase[],
  definition: AgentDefinition,
  { votes, parallel }: JudgeEvalOptions,
  io: CommandIo,
  redact: (text: string) => string,
): Promise<Measured> {
  const stop = new AbortController();
  const { signal } = stop;
  let progress: JudgeProgress | undefined;
  onStopSignal(() => {
    stop.abort();
    progress?.stopping();
  });
  const { environment } = io;
  const session = await JudgeSession.open({ definition, environment, redact, signal });
  const judged = new Map<JudgeCase, JudgedCase>();
  try {
    progress = new JudgeProgress(io, cases.length);
    await runScheduled(
      cases.map((each) => ({ each, parallel: true })),
      {
        parallel,
        isOver: () => signal.aborted,
        run: async ({ each }) => {
          const { mode, reference, prompt, answer } = each;
          const question = { mode, reference, prompt, answer, votes };
          const judgement = await session.ask(question, defaultStepTimeoutMs);
          // It was stopped, which says nothing about the judge.
          if (signal.aborted && judgement.passed === null) return;
          judged.set(each, { case: each, judgement });
          progress?.judged();
        },
      },
    );
  } finally {
    progress?.end();
    await session.close();
  }
  return {
    judge: session.identity,
    cases: cases.flatMap((each) => judged.get(each) ?? []),
    isInterrupted: signal.aborted,
  };
}
