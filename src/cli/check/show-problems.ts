import type { Problems } from '../../config/problems/problem.js';
import type { CheckOptions } from '../check-options.js';
import { exitCodes } from '../exit-codes.js';
import { jsonWithoutSecrets, withoutSecrets } from '../redacted-text.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { type CommandIo, jsonText, styleFor } from '../terminal/output.js';
import { printText } from '../terminal/text.js';

/** Tells the problems because of which nothing runs. */
export function refuse(
  io: CommandIo,
  { output, strict }: CheckOptions,
  problems: Problems,
): number {
  const report = problems.report({ strict });
  if (output === 'json') {
    io.stdout.write(jsonWithoutSecrets(jsonText(problemsAsData(report)), io.environment));
  } else {
    const style = styleFor(io.stderr, io.environment);
    const text = `${renderProblems(report, style)}\n${style('bold', countProblems(report))}\n`;
    printText(io.stderr, withoutSecrets(text, io.environment));
  }
  return exitCodes.invalid;
}

/** Tells what is no reason to stop. */
export function showWarnings(io: CommandIo, { strict }: CheckOptions, problems: Problems): void {
  const report = problems.report({ strict });
  if (report.problems.length === 0) return;
  const text = `${renderProblems(report, styleFor(io.stderr, io.environment))}\n`;
  printText(io.stderr, withoutSecrets(text, io.environment));
}
