import { resolve } from 'node:path';
import { type Problem, type ProblemReport, Problems } from '../../config/problems/problem.js';
import type { ProblemCode } from '../../config/problems/problem-codes.js';
import { readTextFile } from '../../config/yaml/data-file.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import type { SourceStates } from '../../plan/source-tasks.js';
import { loadSuites, type Suite, type SuiteOptions } from '../../plan/suite.js';
import type { resolveSources } from '../../sources/resolve-sources.js';

/** The suites of an eval, one for each variant; without a matrix there is one. */
export type Suites = readonly [Suite, ...Suite[]];

export interface LoadRequest {
  suite: SuiteOptions;
  environment: NodeJS.ProcessEnv;
  /** Finds the files that the eval takes from elsewhere. */
  findSources: (evalPath: string) => Promise<SourceStates>;
  /** Without an agent, variants make no difference: only the first one is loaded. */
  control?: boolean;
  /** Leaves out problems about what only a run needs, such as variables that are not set. */
  skipRuntimeProblems?: boolean;
}

export interface LoadedEval {
  /** Undefined if the eval cannot be read; the problems say why. */
  suites: Suites | undefined;
  problems: Problems;
}

/** Reads an eval with every file that it reaches, and checks it. Problems are collected, never printed. */
export async function loadEval(path: string, request: LoadRequest): Promise<LoadedEval> {
  const { environment, control, skipRuntimeProblems } = request;
  const evalPath = resolve(path);
  const sources = await request.findSources(evalPath);
  const found = new Problems();
  const [first, ...others] = loadSuites(evalPath, { ...request.suite, sources }, found);
  let suites: Suites | undefined;
  if (first) {
    const { variant: _, ...withoutVariant } = first;
    suites = control ? [withoutVariant] : [first, ...others];
    checkSuites(suites, environment, found);
  }
  const problems = new Problems();
  problems.addFrom(found, (problem) => !skipRuntimeProblems || !isRuntimeProblem(problem));
  return { suites, problems };
}

/**
 * Finds the files of an eval's sources. Most evals have none, and then reading the eval twice and loading the
 * code that fetches would be a fifth of a whole `validate`.
 */
export async function findSources(
  evalPath: string,
  options: Parameters<typeof resolveSources>[1],
): Promise<SourceStates> {
  if (!mayHaveSources(evalPath)) return new Map();
  const fetching = await import('../../sources/resolve-sources.js');
  return fetching.resolveSources(evalPath, options);
}

/** Whether the key `sources` can be in an eval; quotes can spell it in escapes. */
function mayHaveSources(evalPath: string): boolean {
  const read = readTextFile(evalPath);
  return read.ok && /sources|\\/.test(read.text);
}

/** Problems that only a run has: what was recorded needs neither servers nor keys. */
const runtimeProblems: ReadonlySet<ProblemCode> = new Set([
  'unset-variable',
  'missing-mcp-config',
  'invalid-environment',
  'nothing-to-redact',
]);

function isRuntimeProblem({ code }: Problem): boolean {
  return runtimeProblems.has(code);
}

/** What is wrong with a suite, as far as it matters where no agent does tasks. */
export function dropRuntimeProblems(report: ProblemReport): ProblemReport {
  const problems = report.problems.filter((problem) => !isRuntimeProblem(problem));
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { ...report, problems, errors, warnings: problems.length - errors };
}
