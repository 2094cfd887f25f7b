import type { ProblemReport } from '../config/problems/problem.js';

/** Problems as `-o json` prints them. */
export function problemsAsData({ errors, warnings, truncated, problems }: ProblemReport) {
  return { errors, warnings, truncated, problems };
}
