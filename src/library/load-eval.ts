import { UsageError } from '../base/errors.js';
import { type Problem, type ProblemReport, Problems } from '../config/problems/problem.js';
import type { Plan } from '../plan/plan.js';
import type { Suite } from '../plan/suite.js';
import type { ConnectedEval } from '../run/preflight/connect-eval.js';
import type { LoadedSuites, LoadRequest, PreparedEval } from '../run/prepare/prepare-eval.js';
import {
  getEnvironment,
  type LoadOptions,
  type PlanEvalOptions,
  resolveOptions,
  type SourceMode,
} from './options.js';

/** An eval that was read, and everything that is wrong with it. It is fit to run if `errors` is 0. */
export interface LoadedEval extends ProblemReport {
  /** One for each variant of the matrix; without a matrix there is one. Empty if the eval cannot be read. */
  suites: readonly Suite[];
}

/** An eval with its plan. */
export interface PlannedEval extends LoadedEval {
  /** What `proctor check` would run. Undefined if there are errors. */
  plan: Plan | undefined;
}

/** What an eval finds when its servers and agents are asked. */
export interface CheckedConnections extends ProblemReport {
  /**
   * What servers, agents, judge and extensions answered: with errors, only those that did. Undefined if there were errors
   * before anything could be asked.
   */
  answers: ConnectedEval | undefined;
}

/** Eval files that were found. */
export interface FoundEvals extends ProblemReport {
  /** Absolute paths. */
  paths: string[];
}

/** The problems of an eval that cannot run. */
export class InvalidEvalError extends Error {
  /** All problems: errors and warnings. */
  readonly problems: readonly Problem[];

  constructor({ problems, errors }: Pick<ProblemReport, 'problems' | 'errors'>) {
    const found = problems.filter(({ severity }) => severity === 'error');
    const shown = found.slice(0, mostShown).map((problem) => `  ${formatProblem(problem)}`);
    const more = errors > shown.length ? [`  and ${errors - shown.length} more`] : [];
    super(['the eval cannot run:', ...shown, ...more].join('\n'));
    this.name = 'InvalidEvalError';
    this.problems = problems;
  }
}

/** Problems in the message of an error. */
const mostShown = 10;

/** A problem in one line: `eval.yaml:12:3: error unset-variable: TOKEN is not set`. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, severity, code, message, hint } = problem;
  const next = hint === undefined ? '' : ` (${hint})`;
  return `${file}:${line}:${column}: ${severity} ${code}: ${message}${next}`;
}

/** Finds Eval files: a folder stands for every eval in it and below. */
export async function findEvals(paths: string | readonly string[]): Promise<FoundEvals> {
  const { findEvals: find } = await import('../plan/find-evals.js');
  const problems = new Problems();
  const found = find(typeof paths === 'string' ? [paths] : paths, problems);
  return { paths: found, ...problems.report() };
}

/**
 * Reads an eval with every file that it reaches, and checks it as `proctor validate` does. What is wrong with the files
 * is returned, and never thrown. Throws UsageError for options that cannot be used.
 */
export async function loadEval(path: string, options: LoadOptions = {}): Promise<LoadedEval> {
  const request = makeLoadRequest(options, 'offline');
  const { suites = [], problems } = await loadOneEval(path, request);
  return { suites, ...problems.report({ strict: options.strict === true }) };
}

/**
 * Reads an eval and plans its task runs as `proctor list` does: which tasks, how often, in which order. Throws UsageError
 * for options that cannot be used.
 */
export async function planEval(path: string, options: PlanEvalOptions = {}): Promise<PlannedEval> {
  const { prepared, report } = await prepareWithOptions(path, options);
  const plan = prepared && report.errors === 0 ? await selectFailed(prepared, options) : undefined;
  return { suites: prepared?.suites ?? [], plan, ...report };
}

/**
 * Asks the servers of an eval what they offer and looks for its agents, as `proctor validate --connect` does. No task
 * runs. Rejects with the reason of the signal after an abort.
 */
export async function connectEval(
  path: string,
  options: LoadOptions = {},
): Promise<CheckedConnections> {
  const { signal = new AbortController().signal, strict = false } = options;
  const request = makeLoadRequest(options, 'fetch');
  const { suites, problems } = await loadOneEval(path, request);
  const report = problems.report({ strict });
  if (!suites || report.errors > 0) return { answers: undefined, ...report };
  const { connectEval: connect } = await import('../run/preflight/connect-eval.js');
  const answers = await protectProcesses(request.environment, (environment) =>
    connect(suites, { environment, signal, onProgress: () => {} }, problems),
  );
  signal.throwIfAborted();
  return { answers, ...problems.report({ strict }) };
}

/** Reads an eval and plans its task runs, with the options of the library. Throws UsageError. */
export async function prepareWithOptions(
  path: string,
  options: PlanEvalOptions,
  how: { ignoresVariants?: boolean; skipRuntimeProblems?: boolean } = {},
): Promise<{ prepared: PreparedEval | undefined; report: ProblemReport }> {
  const engine = await import('../run/prepare/prepare-eval.js');
  const resolved = resolveOptions(options);
  const planOptions = await engine.addShardDurations(resolved.plan, resolved.shardDurations);
  const found = new Problems();
  const file = await findOneEval(path, found);
  const strict = options.strict === true;
  if (file === undefined) return { prepared: undefined, report: found.report({ strict }) };
  const { prepared, problems, selectionProblems } = await engine.prepareEval(file, {
    ...makeLoadRequest(options, 'offline'),
    ...how,
    strict,
    choosePlanOptions: () => planOptions,
  });
  problems.addFrom(selectionProblems);
  return { prepared, report: problems.report({ strict }) };
}

/** The plan with the task runs that `rerunFailed` selects. Throws UsageError if there are none. */
async function selectFailed(
  { plan, redactor }: PreparedEval,
  options: PlanEvalOptions,
): Promise<Plan> {
  if (options.rerunFailed === undefined) return plan;
  const [{ selectTaskRuns }, { fillPlaceholders }] = await Promise.all([
    import('../run/resume/pending-work.js'),
    import('../run/session/check-options.js'),
  ]);
  const filled = fillPlaceholders(resolveOptions(options), plan.name);
  const taskRuns = [...(await selectTaskRuns(plan.taskRuns, filled, redactor))];
  const tasks = plan.tasks.filter((each) => taskRuns.some(({ task }) => task === each));
  return { ...plan, tasks, taskRuns };
}

/** What the engine has to know to read an eval. Throws UsageError. */
export function makeLoadRequest(options: LoadOptions, defaultMode: SourceMode): LoadRequest {
  const environment = getEnvironment(options);
  const { signal } = options;
  return {
    suite: resolveOptions(options).suite,
    environment,
    async findSources(evalPath) {
      const { findSources } = await import('../run/prepare/prepare-eval.js');
      signal?.throwIfAborted();
      const found = await protectProcesses(environment, (marked) =>
        findSources(evalPath, {
          mode: options.sources ?? defaultMode,
          environment: marked,
          onProgress: () => {},
          ...(signal && { signal }),
        }),
      );
      signal?.throwIfAborted();
      return found;
    },
  };
}

/**
 * Does work that belongs to no run, and gives it an environment that marks its processes: a run that ends meanwhile in
 * this process must not take them for its leftovers.
 */
export async function protectProcesses<Value>(
  environment: NodeJS.ProcessEnv,
  work: (marked: NodeJS.ProcessEnv) => Promise<Value>,
): Promise<Value> {
  const [{ randomUUID }, { registerRun }, { makeRunMarkVariables }] = await Promise.all([
    import('node:crypto'),
    import('../base/processes/leftover-processes.js'),
    import('../base/processes/process-identity.js'),
  ]);
  const id = randomUUID();
  const release = registerRun(id);
  try {
    return await work({ ...environment, ...makeRunMarkVariables(id) });
  } finally {
    release();
  }
}

/** Loads the eval that a path means. Throws UsageError. */
async function loadOneEval(path: string, request: LoadRequest): Promise<LoadedSuites> {
  const problems = new Problems();
  const file = await findOneEval(path, problems);
  if (file === undefined) return { suites: undefined, problems };
  const engine = await import('../run/prepare/prepare-eval.js');
  return engine.loadEvalSuites(file, request);
}

/**
 * The Eval file that a path means: a folder stands for the only eval in it or below. Undefined if there is none, which
 * is a problem. Throws UsageError if there are several.
 */
async function findOneEval(path: string, problems: Problems): Promise<string | undefined> {
  if (path === '') throw new UsageError('the name of an eval is empty', 'is a variable empty?');
  const { findEvals: find } = await import('../plan/find-evals.js');
  const [file, ...others] = find([path], problems);
  if (others.length === 0) return file;
  throw new UsageError(`${path} has several evals`, 'find them with findEvals, and name one');
}
