import { dirname } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { findProvider } from '../../config/models.js';
import { Problems } from '../../config/problems/problem.js';
import type { CheckLimitsData } from '../../config/schemas/eval-schema.js';
import { Redactor } from '../../config/secrets/redactor.js';
import type { LimitSettings } from '../../limits/limits.js';
import type { Rate } from '../../limits/rate-limiter.js';
import { makePlan, type Plan, type PlanOptions } from '../../plan/plan.js';
import { collectSuiteSecrets, type Suite } from '../../plan/suite.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { type LoadRequest, loadEval, type Suites } from './load-eval.js';

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
  const redactor = new Redactor(collectSuiteSecrets(suite, environment, suites));
  const evalFolder = dirname(suite.eval.source.path);
  return { prepared: { suite, suites, plan, redactor, evalFolder }, problems, selection };
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
  const { computeTaskDurations } = await import('../../analysis/task-durations.js');
  const { openPooled } = await import('../../results/read/pooled-results.js');
  try {
    return { ...plan, shardDurations: await computeTaskDurations(await openPooled(paths)) };
  } catch (error) {
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
    ({ provider, model, requestsPerMinute, tokensPerMinute }): Rate => ({
      ...(provider !== undefined && { provider: findProvider(provider) ?? provider }),
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
