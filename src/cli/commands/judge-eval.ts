import { resolve } from 'node:path';
import { exitCodes, UsageError } from '../../base/errors.js';
import { escapeTerminalCharacters } from '../../base/json-text.js';
import { type JudgeCase, readJudgeCases } from '../../config/files/judge-cases-file.js';
import { type ProblemReport, Problems } from '../../config/problems/problem.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { displayPath } from '../../config/yaml/data-file.js';
import {
  type ChosenJudge,
  findJudgeOfSuite,
  findNamedJudge,
  withModel,
} from '../../run/judging.js';
import { loadEvalSuites } from '../../run/prepare/prepare-eval.js';
import type { CommandRun } from '../command.js';
import { type JudgeEvalOptions, parseJudgeEvalOptions } from '../judge-eval/judge-eval-options.js';
import {
  findMissedThresholds,
  judgeEvalAsData,
  measureCaseAgreement,
  measureJudge,
} from '../judge-eval/measure-judge.js';
import { renderJudgeEval } from '../judge-eval/render-judge-eval.js';
import { withoutSecrets } from '../redacted-text.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { findSourcesOfEval } from '../sources-of.js';
import { type CommandIo, jsonText, styleFor } from '../terminal/output.js';
import { printText } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { io } = call;
  const path = resolve(call.arguments[0] ?? '');
  const options = parseJudgeEvalOptions(call);
  const { report, cases, judge } = await prepare(path, options, io);
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

interface Preparation {
  report: ProblemReport;
  /** Undefined: the problems say why. */
  cases: JudgeCase[] | undefined;
  judge: ChosenJudge | undefined;
}

async function prepare(
  path: string,
  options: JudgeEvalOptions,
  io: CommandIo,
): Promise<Preparation> {
  const { eval: evalFile, judge: named, model, strict } = options;
  const problems = new Problems();
  const cases = readJudgeCases(path, problems);
  let judge: ChosenJudge | undefined;
  if (named !== undefined) {
    judge = findNamedJudge(named, io.environment, problems);
  } else {
    const { suites, problems: ofSuite } = await loadJudgedEval(evalFile ?? '', io);
    // Warnings of a suite do not concern its judge.
    const report = ofSuite.report();
    if (!suites || report.errors > 0) return { report, cases, judge };
    judge = findJudgeOfSuite(suites[0], io.environment, problems);
  }
  if (judge && model !== undefined) judge = withModel(judge, model);
  return { report: problems.report({ strict }), cases, judge };
}

/** The eval that the judge is taken from. Throws UsageError if it configures none. */
async function loadJudgedEval(path: string, io: CommandIo) {
  const { environment } = io;
  const loaded = await loadEvalSuites(path, {
    suite: { environment },
    environment,
    findSources: (evalPath) => findSourcesOfEval(evalPath, io, 'offline'),
    // Nothing runs but the judge.
    skipRuntimeProblems: true,
  });
  const [suite] = loaded.suites ?? [];
  if (
    suite &&
    !suite.eval.data.config.llmJudge &&
    !suite.eval.source.isFaulty(['config', 'llmJudge'])
  ) {
    const hint = 'add config.llmJudge to the eval, or name a judge with --judge';
    throw new UsageError(`${path} configures no judge`, hint);
  }
  return loaded;
}

function showProblems(io: CommandIo, report: ProblemReport): void {
  if (report.problems.length === 0) return;
  const style = styleFor(io.stderr, io.environment);
  const count = style('bold', countProblems(report));
  const text = `${renderProblems(report, style)}\n${count}\n`;
  printText(io.stderr, withoutSecrets(text, io.environment));
}
