import { resolve } from 'node:path';
import { readJudgeCases } from '../../config/judge-cases-file.js';
import { type ProblemReport, Problems } from '../../config/problem.js';
import { shownName } from '../../config/read-data-file.js';
import { Redactor } from '../../config/redactor.js';
import { printableJson } from '../../events/printable-json.js';
import { dropRuntimeProblems } from '../../run/prepare/load-eval.js';
import type { CommandRun } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { jsonText } from '../json-text.js';
import { chosenJudge } from '../judge-eval/chosen-judge.js';
import { agreementOfCases, judgeEvalAsData } from '../judge-eval/judge-eval-data.js';
import { type JudgeEvalOptions, judgeEvalOptionsOf } from '../judge-eval/judge-eval-options.js';
import { measureJudge } from '../judge-eval/measure-judge.js';
import { missedThresholds } from '../judge-eval/missed-thresholds.js';
import { renderJudgeEval } from '../judge-eval/render-judge-eval.js';
import { problemsAsData } from '../problem-data.js';
import { withoutSecrets } from '../redacted-text.js';
import { countProblems, renderProblems } from '../render-problems.js';
import { styleFor } from '../style.js';
import { printText } from '../wrapped-text.js';

export async function run(call: CommandRun): Promise<number> {
  const { io } = call;
  const path = resolve(call.arguments[0] ?? '');
  const options = judgeEvalOptionsOf(call);
  const { report, cases, judge } = prepare(path, options, io);
  if (!options.isJson) showProblems(io, report);
  if (!cases || !judge || report.errors > 0) {
    if (options.isJson) io.stdout.write(jsonText(problemsAsData(report)));
    return exitCodes.invalid;
  }
  const redactor = new Redactor(judge.secrets);
  const redact = (text: string) => redactor.text(text);
  const measured = await measureJudge(cases, judge, options, io, redact);
  const agreement = agreementOfCases(measured.cases);
  const missed = missedThresholds(options.thresholds, agreement);
  const { votes } = options;
  const measurement = { ...measured, file: shownName(path), votes, planned: cases.length, missed };
  if (options.isJson) {
    const data = { ...judgeEvalAsData(measurement), ...problemsAsData(report) };
    io.stdout.write(printableJson(redactor.json(jsonText(data))));
  } else {
    printText(io.stdout, redact(renderJudgeEval(measurement, styleFor(io.stdout, io.environment))));
  }
  if (measured.isInterrupted) return exitCodes.interrupted;
  return agreement.errors > 0 || missed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function prepare(path: string, { strict, ...options }: JudgeEvalOptions, io: CommandIo) {
  const problems = new Problems();
  const ofSuite = new Problems();
  const cases = readJudgeCases(path, problems);
  const judge = chosenJudge(options, io.environment, { suite: ofSuite, judge: problems });
  const suite = dropRuntimeProblems(ofSuite.report());
  return { report: suite.errors > 0 ? suite : problems.report({ strict }), cases, judge };
}

function showProblems(io: CommandIo, report: ProblemReport): void {
  if (report.problems.length === 0) return;
  const style = styleFor(io.stderr, io.environment);
  const count = style('bold', countProblems(report));
  const text = `${renderProblems(report, style)}\n${count}\n`;
  printText(io.stderr, withoutSecrets(text, io.environment));
}
