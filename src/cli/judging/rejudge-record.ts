import type { AgentDefinition } from '../../agents/agent.js';
import type { AgentIdentity } from '../../events/event.js';
import type { PlannedTask } from '../../plan/plan.js';
import { readTaskRuns } from '../../results/read-results.js';
import { countAnswers, type Rejudged, rejudge } from '../../results/rejudge.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { onStopSignal } from '../until-stopped.js';
import { JudgeProgress } from './judge-progress.js';
import { JudgeSession } from './judge-session.js';

interface RejudgeOptions {
  /** As they were named. */
  results: string;
  evalName: string;
  evalFolder: string;
  definition: AgentDefinition;
  parallel: number;
  io: CommandIo;
  redact(text: string): string;
}

export interface RejudgedRecord {
  judge: AgentIdentity;
  taskRuns: Rejudged;
  isInterrupted: boolean;
}

/** Asks the judge of an eval about the answers of a record. Throws UsageError if it cannot be asked. */
export async function rejudgeRecord(
  tasks: readonly PlannedTask[],
  { results, evalName, evalFolder, definition, parallel, io, redact }: RejudgeOptions,
): Promise<RejudgedRecord> {
  const answers = await countAnswers(readTaskRuns(results), tasks, { evalFolder, redact });
  if (answers === 0) {
    const message = `no llmJudge step of ${evalName} is for an answer in ${results}`;
    throw new UsageError(message, 'only answers of agents that came to their end are judged');
  }
  const stop = new AbortController();
  const { signal } = stop;
  let progress: JudgeProgress | undefined;
  onStopSignal(() => {
    stop.abort();
    progress?.stopping();
  });
  const { environment } = io;
  const session = await JudgeSession.open({ definition, environment, redact, signal });
  try {
    progress = new JudgeProgress(io, answers);
    const taskRuns = await rejudge(readTaskRuns(results), tasks, {
      evalFolder,
      environment,
      parallel,
      redact,
      ask: (question, timeoutMs) => session.ask(question, timeoutMs),
      onJudged: () => progress?.judged(),
      signal,
    });
    return { judge: session.identity, taskRuns, isInterrupted: signal.aborted };
  } finally {
    progress?.end();
    await session.close();
  }
}
