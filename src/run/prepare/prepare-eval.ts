import { dirname, resolve } from 'node:path';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { findProvider } from '../../config/models.js';
import { type Problem, Problems } from '../../config/problems/problem.js';
import type { ProblemCode } from '../../config/problems/problem-codes.js';
import type { CheckLimitsData } from '../../config/schemas/eval-schema.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { readTextFile } from '../../config/yaml/data-file.js';
import type { LimitSettings } from '../../limits/limits.js';
import type { Rate } from '../../limits/rate-limiter.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import { makePlan, type Plan, type PlanOptions } from '../../plan/plan.js';
import type { SourceStates } from '../../plan/source-tasks.js';
import {
  collectSuiteSecrets,
  loadSuites,
  type Suite,
  type SuiteOptions,
} from '../../plan/suite.js';
import type { resolveSources } from '../../sources/resolve-sources.js';
import type { NamedPath } from '../resume/suite-files.js';

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

/** The suites of an eval, and everything that is wrong with them. */
export interface LoadedSuites {
  /** Undefined if the eval cannot be read; the problems say why. */
  suites: Suites | undefined;
  problems: Problems;
}

/** Reads an eval with every file that it reaches, and checks it. Problems are collected, never printed. */
export async function loadEvalSuites(path: string, request: LoadRequest): Promise<LoadedSuites> {
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

/** An eval that is fit to run, as far as its files show. */
export interface PreparedEval {
  /** The suite of the first variant, for where variants do not matter. */
  suite: Suite;
  suites: Suites;
  plan: Plan;
  redactor: Redactor;
  evalFolder: string;
  /** The environment variables that the eval was read with. */
  environment: NodeJS.ProcessEnv;
}

export interface PrepareRequest extends LoadRequest {
  /** Options of the plan, which may depend on what the eval is called. Throws UsageError. */
  choosePlanOptions(suites: Suites): PlanOptions | Promise<PlanOptions>;
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
  selectionProblems: Problems;
}

/** Loads an eval and plans its task runs. Throws UsageError. */
export async function prepareEval(path: string, request: PrepareRequest): Promise<EvalPreparation> {
  const { environment, control, strict = false, ignoresVariants = false } = request;
  const { suites, problems } = await loadEvalSuites(path, request);
  const selectionProblems = new Problems();
  if (!suites) return { prepared: undefined, problems, selectionProblems };
  const [suite] = suites;
  const options = await request.choosePlanOptions(suites);
  const variants = ignoresVariants ? [] : suites.flatMap(({ variant }) => variant ?? []);
  const plan = makePlan(
    suite,
    { ...options, ...(control && { runs: 1 }), ...(!ignoresVariants && { variants }) },
    selectionProblems,
  );
  if (problems.report({ strict }).errors > 0)
    return { prepared: undefined, problems, selectionProblems };
  const redactor = new Redactor(collectSuiteSecrets(suite, environment, suites));
  const evalFolder = dirname(suite.eval.source.path);
  const prepared = { suite, suites, plan, redactor, evalFolder, environment };
  return { prepared, problems, selectionProblems };
}

/** Throws UsageError if a file to be written is one that decides the task runs of an eval. */
export async function refuseToOverwrite(
  { suites, plan, evalFolder, environment }: PreparedEval,
  written: NamedPath,
): Promise<void> {
  const { listSuiteFiles, refuseSuiteFiles } = await import('../resume/suite-files.js');
  refuseSuiteFiles([written], listSuiteFiles(suites, plan, environment), evalFolder);
}

/** Adds the durations in the results of `--shard-durations`, by which a plan is cut into shards. Throws UsageError. */
export async function addShardDurations(
  planOptions: PlanOptions,
  paths: readonly string[],
): Promise<PlanOptions> {
  if (paths.length === 0) return planOptions;
  if (!planOptions.shard) {
    const hint = 'add --shard, such as --shard 1/4, or leave --shard-durations out';
    throw new UsageError('--shard-durations: without --shard there is nothing to cut', hint);
  }
  // Loaded when needed: `validate` and `list` have to start quickly.
  const { computeTaskDurations } = await import('../../analysis/task-durations.js');
  const { openPooled } = await import('../../results/read/pooled-results.js');
  try {
    return { ...planOptions, shardDurations: await computeTaskDurations(await openPooled(paths)) };
  } catch (error) {
    const { explainUnreadableResults } = await import('../../results/read/unreadable-results.js');
    throw explainUnreadableResults(paths.join(', '), error);
  }
}

/** The limits of an eval, with those of the command line, which win. */
export function mergeLimits(
  ofEval: CheckLimitsData | undefined,
  given: { concurrentAgents?: number | undefined; rates: readonly Rate[] } = { rates: [] },
): LimitSettings {
  const concurrentAgents = given.concurrentAgents ?? ofEval?.concurrentAgents;
  const rates = (ofEval?.rates ?? []).map(
    ({ provider, model, requestsPerMinute, tokensPerMinute }): Rate =>
      defined({
        provider: provider && (findProvider(provider) ?? provider),
        model,
        requestsPerMinute,
        tokensPerMinute,
      }),
  );
  return defined({ concurrentAgents, rates: [given.rates, rates] });
}
