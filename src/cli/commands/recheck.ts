import { resolve } from 'node:path';
import { exitCodes, UsageError } from '../../base/errors.js';
import { escapeTerminalCharacters } from '../../base/json-text.js';
import { plural } from '../../base/text.js';
import { type ProblemReport, Problems } from '../../config/problems/problem.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import type { PlannedTask } from '../../plan/plan.js';
import { proctorVersion } from '../../proctor-version.js';
import type { RecordingFile } from '../../results/journal/recording-file.js';
import { type Recheck, type RecheckContext, recheck } from '../../results/recheck/recheck.js';
import { addJudgements, type Rejudged } from '../../results/recheck/rejudge.js';
import type { WrittenRecheck } from '../../results/recheck/write-rechecked.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import { type ChosenJudge, findJudgeOfSuite } from '../../run/judging.js';
import {
  type PreparedEval,
  prepareEval,
  refuseToOverwrite,
} from '../../run/prepare/prepare-eval.js';
import {
  findAnswers,
  hasHeld,
  makeRecheckContext,
  recheckResults,
  refuseRecheckOutput,
  refuseUnlessOccurs,
  refuseVacuous,
  rejudgeResults,
  writeRecheckedResults,
} from '../../run/recheck/recheck-results.js';
import { resolveCheckOptions } from '../../run/session/check-options.js';
import type { CommandRun } from '../command.js';
import { withJudge } from '../judging/judge-session.js';
import { describeRecheck, recheckAsData } from '../recheck/recheck-document.js';
import { withoutSecrets } from '../redacted-text.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { listLeftOutOfRecordings, recordingsIn, showLeftOut } from '../result/chosen-results.js';
import { findSourcesOfEval } from '../sources-of.js';
import { renderDocument } from '../terminal/document.js';
import { type CommandIo, jsonText, styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const {
    arguments: [resultsPath = ''],
    options,
    io,
  } = call;
  if (typeof options.eval !== 'string') {
    throw new UsageError('there is no eval to take assertions from', 'name it with --eval');
  }
  const evalPath = resolve(options.eval);
  const out = outOf(call);
  const isJson = options.output === 'json';
  const { run, labelSelector, strict, parallel: given } = options;
  const resolved = resolveCheckOptions(
    { run, labelSelector, strict, parallel: given },
    io.environment,
  );
  const { parallel } = resolved;
  const { prepared, problems, selectionProblems } = await prepareEval(evalPath, {
    suite: resolved.suite,
    environment: io.environment,
    findSources: (path) => findSourcesOfEval(path, io, 'offline'),
    skipRuntimeProblems: true,
    ignoresVariants: true,
    strict: resolved.strict,
    choosePlanOptions: () => resolved.plan,
  });
  problems.addFrom(selectionProblems);
  const report = problems.report({ strict: resolved.strict });
  if (!prepared || report.errors > 0) return refuse(call, report);
  const { suite, plan, redactor } = prepared;
  if (out !== undefined) await refuseToOverwrite(prepared, { path: resolve(out), option: '--out' });
  // Apart: of what the judge needs, nothing may be passed over.
  const judgeProblems = new Problems();
  const isRejudged = options.rejudge === true;
  const judge = isRejudged ? findJudgeOfSuite(suite, io.environment, judgeProblems) : undefined;
  if (isRejudged && !judge) return refuseJudge(call, judgeProblems, options.eval);
  if (!isJson) showProblems(call, report);

  const redact = (text: string) => redactor.text(text);
  const recordings = await recordingsIn(call, ['rejudge', 'out']);
  const context = makeRecheckContext(prepared, resolved.plan.run);
  const named = { results: resultsPath, evalName: options.eval };
  const { rechecked: bare, leftOut } = recordings
    ? await recheckRecording(call, recordings, plan.tasks, context)
    : await recheckResults(resultsPath, prepared, context);
  showLeftOut(leftOut, io);
  refuseUnlessOccurs(bare, named);
  if (!isRejudged) refuseVacuous(bare, named);
  const rejudged = judge
    ? await rejudgeRecord(prepared, { ...named, judge, parallel, io })
    : undefined;
  const rechecked = rejudged ? addJudgements(bare, rejudged.rejudged) : bare;
  if (isJson) {
    const record = { ...recheckAsData(rechecked, rejudged?.judge), leftOut };
    const data = { ...record, ...problemsAsData(report) };
    io.stdout.write(escapeTerminalCharacters(redactor.json(jsonText(data))));
  } else {
    const style = styleFor(io.stdout, io.environment);
    printText(io.stdout, redact(renderDocument(describeRecheck(rechecked), { style })));
  }
  if (rejudged?.isInterrupted) return exitCodes.interrupted;
  if (out !== undefined) {
    const by = {
      at: new Date().toISOString(),
      proctor: proctorVersion,
      eval: { name: suite.eval.data.metadata.name, file: options.eval },
      rejudged: rejudged !== undefined,
    };
    const written = await writeRecheckedResults(resultsPath, out, {
      recheck: rechecked,
      by,
      judge: rejudged?.judge,
    });
    (isJson ? io.stderr : io.stdout).write(`${terminalLine(writtenText(out, written))}\n`);
  }
  const unmatched = rechecked.notInEval.length + rechecked.notRecorded.length;
  if (resolved.strict && unmatched > 0) {
    throw new UsageError(`${plural(unmatched, 'task')} of only one side, and --strict is given`);
  }
  return hasHeld(rechecked) ? exitCodes.ok : exitCodes.failed;
}

/** Where to write results, if anywhere. */
function outOf({ arguments: [results = ''], options: { out } }: CommandRun): string | undefined {
  if (out === undefined) return undefined;
  if (typeof out !== 'string' || out === '') throw new UsageError('--out: expected a file');
  refuseRecheckOutput(results, out);
  return out;
}

function writtenText(out: string, written: WrittenRecheck): string {
  const { totals, changed, leftOut, notRechecked } = written;
  const taskRuns = Object.values(totals.outcomes).reduce((sum, count) => sum + count, 0);
  const counts = [
    plural(taskRuns, 'task run'),
    `${changed} with another outcome`,
    ...(notRechecked > 0 ? [`${notRechecked} not in the eval and as recorded`] : []),
    ...(leftOut > 0 ? [`${leftOut} not rechecked and left out`] : []),
  ];
  return `Results: ${out} (${counts.join(', ')})`;
}

function refuse(call: CommandRun, report: ProblemReport): number {
  if (call.options.output === 'json') call.io.stdout.write(jsonText(problemsAsData(report)));
  else showProblems(call, report);
  return exitCodes.invalid;
}

function refuseJudge(call: CommandRun, problems: Problems, evalName: string): number {
  const report = problems.report();
  if (report.errors > 0) return refuse(call, report);
  throw new UsageError(`${evalName} configures no judge`, 'add config.llmJudge to the eval');
}

function showProblems({ io }: CommandRun, report: ProblemReport): void {
  if (report.problems.length === 0) return;
  const style = styleFor(io.stderr, io.environment);
  const count = style('bold', countProblems(report));
  const text = `${renderProblems(report, style)}\n${count}\n`;
  printText(io.stderr, withoutSecrets(text, io.environment));
}

/** A recording does not say what its sessions were about: they are taken for runs of one task. */
async function recheckRecording(
  { options, io }: CommandRun,
  [recording]: readonly RecordingFile[],
  tasks: readonly PlannedTask[],
  context: RecheckContext,
): Promise<{ rechecked: Recheck; leftOut: LeftOutOfFile[] }> {
  const [task, ...others] = tasks;
  if (!recording || !task || others.length > 0) {
    const message = `a recording does not say which task its sessions were about, and ${options.eval} has ${tasks.length}`;
    throw new UsageError(message, 'choose one task with --run NAME');
  }
  const name = context.redact(task.name);
  const rechecked = await recheck(recording.readAsRunsOf(name), [task], context);
  const note = `note: sessions of the recording are taken for runs of ${terminalLine(name)}\n`;
  printText(io.stderr, note);
  return { rechecked, leftOut: listLeftOutOfRecordings([recording]) };
}

interface RejudgeOptions {
  /** Results and eval, as the command line names them. */
  results: string;
  evalName: string;
  judge: ChosenJudge;
  parallel: number;
  io: CommandIo;
}

interface RejudgedRecord {
  judge: AgentIdentity;
  rejudged: Rejudged;
  isInterrupted: boolean;
}

/** Asks the judge of an eval about the answers of a record. Throws UsageError if it cannot be asked. */
async function rejudgeRecord(
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
