import type { Problem, ProblemReport } from '../config/problems/problem.js';
import type { ProblemCode } from '../config/problems/problem-codes.js';

/** A run needs them to be set or named. What was recorded needs neither servers nor keys. */
const needsOfRuns: ReadonlySet<ProblemCode> = new Set([
  'unset-variable',
  'missing-mcp-config',
  'invalid-environment',
  'nothing-to-redact',
]);

/** Whether it is about what a run needs, and not about what is written. */
export function isNeedOfRuns({ code }: Problem): boolean {
  return needsOfRuns.has(code);
}

/** What is wrong with a suite, as far as it matters where no agent does tasks. */
export function withoutNeedsOfRuns(report: ProblemReport): ProblemReport {
  const problems = report.problems.filter((problem) => !isNeedOfRuns(problem));
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { ...report, problems, errors, warnings: problems.length - errors };
}
