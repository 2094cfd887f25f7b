import type { AgentDefinition } from '../../agents/agent.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import type { LimitSettings } from '../../limits/limits.js';
import type { CommandIo } from '../io.js';
import { onStopSignal } from '../until-stopped.js';
import { JudgeProgress } from './judge-progress.js';
import { JudgeSession } from './judge-session.js';

interface JudgingOptions {
  definition: AgentDefinition;
  limits: LimitSettings;
  /** How many the judge will be asked about. */
  answers: number;
  io: CommandIo;
  redact(text: string): string;
}

interface Judging {
  ask: JudgeSession['ask'];
  /** To be told after each answer. */
  onJudged(): void;
  /** Aborted when somebody wants an end. */
  signal: AbortSignal;
}

interface Judged<Result> {
  judge: AgentIdentity;
  result: Result;
  isInterrupted: boolean;
}

/**
 * Does what needs a judge, shows how far it has come, and lets a signal stop it. Throws UsageError if
 * the judge is not fit to be asked.
 */
export async function withJudge<Result>(
  { definition, limits, answers, io, redact }: JudgingOptions,
  work: (judging: Judging) => Promise<Result>,
): Promise<Judged<Result>> {
  const stop = new AbortController();
  const { signal } = stop;
  let progress: JudgeProgress | undefined;
  onStopSignal(() => {
    stop.abort();
    progress?.stopping();
  });
  const { environment } = io;
  const session = await JudgeSession.open({ definition, limits, environment, redact, signal });
  try {
    progress = new JudgeProgress(io, answers);
    const result = await work({
      ask: (question, timeoutMs) => session.ask(question, timeoutMs),
      onJudged: () => progress?.judged(),
      signal,
    });
    return { judge: session.identity, result, isInterrupted: signal.aborted };
  } finally {
    progress?.end();
    await session.close();
  }
}
