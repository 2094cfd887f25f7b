import { resolve } from 'node:path';
import { escapeTerminalCharacters } from '../../base/json-text.js';
import { readJudgeCases } from '../../config/files/judge-cases-file.js';
import { type ProblemReport, Problems } from '../../config/problems/problem.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { displayPath } from '../../config/yaml/data-file.js';
import { dropRuntimeProblems } from '../../run/prepare/load-eval.js';
import type { CommandRun } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import {
  chooseJudge,
  type JudgeEvalOptions,
  judgeEvalOptionsOf,
} from '../judge-eval/judge-eval-options.js';
import {
  findMissedThresholds,
  judgeEvalAsData,
  measureCaseAgreement,
  measureJudge,
} from '../judge-eval/measure-judge.js';
import { renderJudgeEval } from '../judge-eval/render-judge-eval.js';
import { withoutSecrets } from '../redacted-text.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { type CommandIo, jsonText, styleFor } from '../terminal/output.js';
import { printText } from '../terminal/text.js';

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
  const agreement = measureCaseAgreement(measured.cases);
  const missed = findMissedThresholds(options.thresholds, agreement);
  const { votes } = options;
  const measurement = {
    ...measured,
    file: displayPath(path),
    votes,
    planned: cases.length,
    missed,
  };
  if (options.isJson) {
    const data = { ...judgeEvalAsData(measurement), ...problemsAsData(report) };
    io.stdout.write(escapeTerminalCharacters(redactor.json(jsonText(data))));
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
  const judge = chooseJudge(options, io.environment, { suite: ofSuite, judge: problems });
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
