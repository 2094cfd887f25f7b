import type { ProblemReport } from '../config/problem.js';
import type { ProblemCode } from '../config/problem-codes.js';

/** A run needs them to be set or named. What was recorded needs neither servers nor keys. */
const needsOfRuns: ReadonlySet<ProblemCode> = new Set([
  'unset-variable',
  'missing-mcp-config',
  'invalid-environment',
]);

/** What is wrong with a suite, as far as it matters where no agent does tasks. */
export function withoutNeedsOfRuns(report: ProblemReport): ProblemReport {
  const problems = report.problems.filter(({ code }) => !needsOfRuns.has(code));
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { ...report, problems, errors, warnings: problems.length - errors };
}
