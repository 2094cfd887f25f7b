import { dirname, resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { type Problem, type ProblemReport, Problems } from '../../config/problem.js';
import type { ProblemCode } from '../../config/problem-codes.js';
import { readTextFile } from '../../config/read-text-file.js';
import { Redactor } from '../../config/redactor.js';
import type { CheckLimitsData } from '../../config/schemas/check-limits-schema.js';
import { providerNamed } from '../../config/schemas/model-providers.js';
import type { Rate } from '../../limits/allowance.js';
import type { LimitSettings } from '../../limits/limits.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import { makePlan, type Plan, type PlanOptions } from '../../plan/plan.js';
import type { SourceStates } from '../../plan/source-tasks.js';
import { loadSuites, type Suite, type SuiteOptions } from '../../plan/suite.js';
import { secretsOfSuite } from '../../plan/suite-secrets.js';
import type { resolveSources } from '../../sources/resolve-sources.js';
import { explainUnreadableResults } from '../outputs/unreadable-results.js';

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

/** An eval that is fit to run, as far as its files show. */
export interface PreparedEval {
  /** Of the first variant, where variants do not matter. */
  suite: Suite;
  suites: Suites;
  plan: Plan;
  redactor: Redactor;
  evalFolder: string;
}

export interface PrepareRequest extends LoadRequest {
  /** Options of the plan, which may depend on what the eval is called. Throws UsageError. */
  plan(suites: Suites): PlanOptions | Promise<PlanOptions>;
  /** Plans task runs of the first variant alone. */
  ignoresVariants?: boolean;
  /** Warnings of the suite count as errors. */
  strict?: boolean;
}

export interface EvalPreparation {
  /** Undefined if the suite has errors. */
  prepared: PreparedEval | undefined;
  /** Problems of the suite. */
  problems: Problems;
  /** Problems of what the options select in it. */
  selection: Problems;
}

/** Loads an eval and plans its task runs. Throws UsageError. */
export async function prepareEval(path: string, request: PrepareRequest): Promise<EvalPreparation> {
  const { environment, control, strict = false, ignoresVariants = false } = request;
  const { suites, problems } = await loadEval(path, request);
  const selection = new Problems();
  if (!suites) return { prepared: undefined, problems, selection };
  const [suite] = suites;
  const options = await request.plan(suites);
  const variants = ignoresVariants ? [] : suites.flatMap(({ variant }) => variant ?? []);
  const plan = makePlan(
    suite,
    { ...options, ...(control && { runs: 1 }), ...(!ignoresVariants && { variants }) },
    selection,
  );
  if (problems.report({ strict }).errors > 0) return { prepared: undefined, problems, selection };
  const redactor = new Redactor(secretsOfSuite(suite, environment, suites));
  const evalFolder = dirname(suite.eval.source.path);
  return { prepared: { suite, suites, plan, redactor, evalFolder }, problems, selection };
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

/** Adds the durations in the results of `--shard-durations`, by which a plan is cut. Throws UsageError. */
export async function withShardDurations(
  plan: PlanOptions,
  paths: readonly string[],
): Promise<PlanOptions> {
  if (paths.length === 0) return plan;
  if (!plan.shard) {
    const hint = 'add --shard, such as --shard 1/4, or leave --shard-durations out';
    throw new UsageError('--shard-durations: without --shard there is nothing to cut', hint);
  }
  // Loaded when needed: `validate` and `list` have to start quickly.
  const { taskDurations } = await import('../../analysis/task-durations.js');
  const { openPooled } = await import('../../results/pooled-results.js');
  try {
    return { ...plan, shardDurations: await taskDurations(await openPooled(paths)) };
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
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

/** The limits of an eval, with those of the command line, which win. */
export function mergeLimits(
  ofEval: CheckLimitsData | undefined,
  given: { concurrentAgents?: number; rates: readonly Rate[] } = { rates: [] },
): LimitSettings {
  const concurrentAgents = given.concurrentAgents ?? ofEval?.concurrentAgents;
  const rates = (ofEval?.rates ?? []).map(
    ({ provider, model, requestsPerMinute, tokensPerMinute }): Rate => ({
      ...(provider !== undefined && { provider: providerNamed(provider) ?? provider }),
      ...(model !== undefined && { model }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(tokensPerMinute !== undefined && { tokensPerMinute }),
    }),
  );
  return {
    ...(concurrentAgents !== undefined && { concurrentAgents }),
    rates: [given.rates, rates],
  };
}
