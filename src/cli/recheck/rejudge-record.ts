import type { AgentIdentity } from '../../journal/run-events.js';
import type { PlannedTask } from '../../plan/plan.js';
import { readRecordedTaskRuns } from '../../results/recheck/recorded-task-run.js';
import { type Rejudged, rejudge, surveyAnswers } from '../../results/recheck/rejudge.js';
import type { ChosenJudge } from '../../run/judging.js';
import { UsageError } from '../exit-codes.js';
import { withJudge } from '../judging/judge-session.js';
import type { CommandIo } from '../terminal/output.js';

interface RejudgeOptions {
  /** Path of the results, as the command line names it. */
  results: string;
  evalName: string;
  evalFolder: string;
  judge: ChosenJudge;
  parallel: number;
  io: CommandIo;
  redact(text: string): string;
}

export interface RejudgedRecord {
  judge: AgentIdentity;
  rejudged: Rejudged;
  isInterrupted: boolean;
}

/** Asks the judge of an eval about the answers of a record. Throws UsageError if it cannot be asked. */
export async function rejudgeRecord(
  tasks: readonly PlannedTask[],
  { results, evalName, evalFolder, judge: chosen, parallel, io, redact }: RejudgeOptions,
): Promise<RejudgedRecord> {
  const answers = await surveyAnswers(readRecordedTaskRuns(results), tasks, { evalFolder, redact });
  if (answers.count === 0) {
    const message = `no llmJudge step of ${evalName} is for an answer in ${results}`;
    throw new UsageError(message, 'only answers of agents that came to their end are judged');
  }
  const { environment } = io;
  const { judge, result, isInterrupted } = await withJudge(
    { judge: chosen, answers: answers.count, io, redact },
    (judging) =>
      rejudge(readRecordedTaskRuns(results), tasks, {
        evalFolder,
        environment,
        parallel,
        redact,
        ...judging,
      }),
  );
  return { judge, rejudged: { answers, taskRuns: result }, isInterrupted };
}
