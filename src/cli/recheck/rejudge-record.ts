import type { AgentIdentity } from '../../journal/run-events.js';
import type { Rejudged } from '../../results/recheck/rejudge.js';
import type { ChosenJudge } from '../../run/judging.js';
import type { PreparedEval } from '../../run/prepare/prepare-eval.js';
import { findAnswers, rejudgeResults } from '../../run/recheck/recheck-results.js';
import { withJudge } from '../judging/judge-session.js';
import type { CommandIo } from '../terminal/output.js';

interface RejudgeOptions {
  /** Results and eval, as the command line names them. */
  results: string;
  evalName: string;
  judge: ChosenJudge;
  parallel: number;
  io: CommandIo;
}

export interface RejudgedRecord {
  judge: AgentIdentity;
  rejudged: Rejudged;
  isInterrupted: boolean;
}

/** Asks the judge of an eval about the answers of a record. Throws UsageError if it cannot be asked. */
export async function rejudgeRecord(
  prepared: PreparedEval,
  { results, evalName, judge: chosen, parallel, io }: RejudgeOptions,
): Promise<RejudgedRecord> {
  const answers = await findAnswers(prepared, { results, evalName });
  const redact = (text: string) => prepared.redactor.text(text);
  const { judge, result, isInterrupted } = await withJudge(
    { judge: chosen, answers: answers.count, io, redact },
    (judging) => rejudgeResults(results, prepared, { parallel, ...judging }),
  );
  return { judge, rejudged: { answers, taskRuns: result }, isInterrupted };
}
