import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { resolveLinks } from '../../base/files.js';
import { explainWriteFailure, writeFailures } from '../../base/write-failure.js';
import { getSkillTool } from '../../config/files/skills.js';
import type { Pattern } from '../../config/patterns/pattern.js';
import { openResultsFile } from '../../results/read/open-results.js';
import { isControl } from '../../results/read/pooled-results.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { type Recheck, type RecheckContext, recheck } from '../../results/recheck/recheck.js';
import { readRecordedTaskRuns } from '../../results/recheck/recorded-task-run.js';
import { countAnswers, type Rejudged, rejudge } from '../../results/recheck/rejudge.js';
import { type WrittenRecheck, writeRechecked } from '../../results/recheck/write-rechecked.js';
import { ControlResultsError } from '../../results/results-errors.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import type { PreparedEval } from '../prepare/prepare-eval.js';

/** What was recorded must not be overwritten, nor the journal of these results, or the results of this journal. */
export function refuseRecheckOutput(results: string, out: string): void {
  const stem = resolve(results).replace(/\.jsonl?$/, '');
  const read = [resolve(results), `${stem}.json`, `${stem}.jsonl`].map(resolveLinks);
  if (!read.includes(resolveLinks(resolve(out)))) return;
  throw new UsageError(`--out: ${out} would be overwritten`, 'name another file');
}

/** What a recheck has to know of the eval; `run` is the pattern by which its tasks were selected. */
export function makeRecheckContext(
  { suite, suites, redactor, evalFolder }: PreparedEval,
  run: Pattern | undefined,
): RecheckContext {
  const redact = (text: string) => redactor.text(text);
  const names = new Set(suite.tasks.map(({ definition }) => redact(definition.name)));
  return {
    evalFolder,
    skillTool(variant) {
      // A variant that the command line made then is not in the eval: its agent counts, as for the rest.
      const found = suites.find((each) => each.variant?.name === variant) ?? suite;
      return getSkillTool(found.agentFile?.data);
    },
    isLeftOut: (name) => names.has(name) || run?.test(name) === false,
    redact,
  };
}

/** Checks a file of results against the assertions of an eval. Throws UsageError. */
export async function recheckResults(
  path: string,
  { plan }: Pick<PreparedEval, 'plan'>,
  context: RecheckContext,
): Promise<{ rechecked: Recheck; leftOut: LeftOutOfFile[] }> {
  try {
    const { header } = await openResultsFile(path);
    if (isControl(header)) throw new ControlResultsError(path);
    let leftOut: LeftOutOfFile[] = [];
    const taskRuns = readRecordedTaskRuns(path, (parts) => {
      if (parts.count > 0) leftOut = [{ path, ...parts }];
    });
    return { rechecked: await recheck(taskRuns, plan.tasks, context), leftOut };
  } catch (error) {
    throw explainUnreadableResults(path, error);
  }
}

interface RecheckNames {
  /** Results and eval, as the caller names them. */
  results: string;
  evalName: string;
}

/** Throws UsageError if no task is in both the results and the eval. */
export function refuseUnlessOccurs(
  { taskRuns, notInEval }: Recheck,
  { results, evalName }: RecheckNames,
): void {
  if (taskRuns.length > 0) return;
  const recorded = notInEval.slice(0, 10).join(', ');
  const hint = recorded === '' ? undefined : `recorded are: ${recorded}`;
  throw new UsageError(`no task of ${evalName} that was asked for occurs in ${results}`, hint);
}

/** Throws UsageError if nothing was checked: what passed because of that is no pass. */
export function refuseVacuous({ taskRuns }: Recheck, { results, evalName }: RecheckNames): void {
  if (taskRuns.some(({ unfinished, assertions }) => unfinished || assertions.length > 0)) return;
  const message = `no assertion of ${evalName} covers a task that occurs in ${results}`;
  throw new UsageError(message, 'add assertions to the task set or the task');
}

/** Whether every assertion held and every judgement passed, of task runs that all came to their end. */
export function hasHeld({ taskRuns }: Recheck): boolean {
  return taskRuns.every(
    ({ unfinished, assertions, judgements = [] }) =>
      unfinished === undefined && [...assertions, ...judgements].every(({ passed }) => passed),
  );
}

type RejudgeContext = Parameters<typeof rejudge>[2];

/** Counts the answers that a judge is to be asked about. Throws UsageError if there are none. */
export async function findAnswers(
  { plan, evalFolder, redactor }: PreparedEval,
  { results, evalName }: RecheckNames,
): Promise<Rejudged['answers']> {
  const redact = (text: string) => redactor.text(text);
  const recorded = readRecordedTaskRuns(results);
  const answers = await countAnswers(recorded, plan.tasks, { evalFolder, redact });
  if (answers.count > 0) return answers;
  const message = `no llmJudge step of ${evalName} is for an answer in ${results}`;
  throw new UsageError(message, 'only answers of agents that finished are judged');
}

/** Asks a judge about recorded answers. */
export function rejudgeResults(
  results: string,
  { plan, evalFolder, environment, redactor }: PreparedEval,
  judging: Pick<RejudgeContext, 'ask' | 'onJudged' | 'signal' | 'parallel'>,
): Promise<Rejudged['taskRuns']> {
  const redact = (text: string) => redactor.text(text);
  const context = { evalFolder, environment, redact, ...judging };
  return rejudge(readRecordedTaskRuns(results), plan.tasks, context);
}

/** Writes rechecked results. Throws UsageError. */
export async function writeRecheckedResults(
  results: string,
  out: string,
  what: Parameters<typeof writeRechecked>[2],
): Promise<WrittenRecheck> {
  try {
    return await writeRechecked(results, out, what);
  } catch (error) {
    const { syscall, code = '' } = error as NodeJS.ErrnoException;
    if (syscall === 'mkdtemp' || writeFailures.has(code)) {
      throw new UsageError(`${out} cannot be written: ${explainWriteFailure(error).reason}`);
    }
    throw explainUnreadableResults(results, error);
  }
}
