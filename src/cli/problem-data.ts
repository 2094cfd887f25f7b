import type { ProblemReport } from '../config/problem.js';

/** Problems as `-o json` prints them. */
export function problemsAsData({ errors, warnings, truncated, problems }: ProblemReport) {
  return { errors, warnings, truncated, problems };
}
