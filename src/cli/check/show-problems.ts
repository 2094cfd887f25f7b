import type { Problems } from '../../config/problem.js';
import type { CheckOptions } from '../check-options.js';
import { exitCodes } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { jsonText } from '../json-text.js';
import { problemsAsData } from '../problem-data.js';
import { countProblems, renderProblems } from '../render-problems.js';
import { styleFor } from '../style.js';

/** Tells the problems because of which nothing runs. */
export function refuse(
  io: CommandIo,
  { output, strict }: CheckOptions,
  problems: Problems,
): number {
  const report = problems.report({ strict });
  if (output === 'json') {
    io.stdout.write(jsonText(problemsAsData(report)));
  } else {
    const style = styleFor(io.stderr, io.environment);
    io.stderr.write(`${renderProblems(report, style)}\n${style('bold', countProblems(report))}\n`);
  }
  return exitCodes.invalid;
}

/** Tells what is no reason to stop. */
export function showWarnings(io: CommandIo, { strict }: CheckOptions, problems: Problems): void {
  const report = problems.report({ strict });
  if (report.problems.length === 0) return;
  io.stderr.write(`${renderProblems(report, styleFor(io.stderr, io.environment))}\n`);
}
