import { resolve } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import { UsageError } from '../../base/errors.js';
import { type Problem, Problems } from '../../config/problems/problem.js';
import type { ProblemCode } from '../../config/problems/problem-codes.js';
import { displayPath } from '../../config/yaml/data-file.js';
import { explainUnusedRate } from '../../plan/checks/check-rates-used.js';
import { findEvals } from '../../plan/find-evals.js';
import type { Suite } from '../../plan/suite.js';
import { canTakeModel, defineAgents } from '../prepare/agent-definition.js';
import {
  addShardDurations,
  type LoadRequest,
  type PreparedEval,
  prepareEval,
  type Suites,
} from '../prepare/prepare-eval.js';
import { fillPlaceholders, type ResolvedOptions, refuseSharedPaths } from './check-options.js';

/** An eval of a check that is fit to run, as far as its files show. */
export interface EvalToRun extends PreparedEval {
  /** Its file, as people would write it again. */
  path: string;
  /** The options of the check, as they are for this eval. */
  options: ResolvedOptions;
  /** The agent that does the tasks of each suite. */
  definitions: ReadonlyMap<Suite, AgentDefinition>;
}

/** One of several evals that has nothing to run. */
export interface SkippedEval {
  name: string;
  file: string;
  reason: string;
}

export interface CheckPreparation {
  problems: Problems;
  /** In the order in which they were given. Undefined if the problems have errors. */
  evals: readonly EvalToRun[] | undefined;
  skipped: readonly SkippedEval[];
}

type PrepareContext = Pick<LoadRequest, 'environment' | 'findSources'>;

/** Reads all evals of a check, and collects the problems of all of them. Throws UsageError. */
export async function prepareCheck(
  paths: readonly string[],
  options: ResolvedOptions,
  context: PrepareContext,
): Promise<CheckPreparation> {
  if (paths.includes('')) {
    throw new UsageError('the name of an eval is empty', 'is a shell variable not set?');
  }
  const problems = new Problems();
  const asWritten = new Map(paths.map((path) => [resolve(path), path]));
  const found = findEvals(paths, problems);
  if (found.length > 1) refuseSharedPaths(options);
  const read: PreparationResult[] = [];
  for (const path of found) {
    read.push(await prepareEvalToRun(asWritten.get(path) ?? displayPath(path), options, context));
  }
  const empty = read.filter((one) => findEmptyReason(one) !== undefined);
  // If the options leave nothing of any eval, none is skipped: that is then an error of each.
  const kept = empty.length === read.length ? read : read.filter((one) => !empty.includes(one));
  for (const one of read) problems.addFrom(one.problems);
  for (const { selectionProblems } of kept) {
    problems.addFrom(selectionProblems, (problem) =>
      kept.every((other) => sharesProblem(other, problem)),
    );
  }
  if (problems.report({ strict: options.strict }).errors > 0) {
    return { problems, evals: undefined, skipped: [] };
  }
  const evals = kept.flatMap(({ evalToRun }) => evalToRun ?? []);
  refuseUselessModel(options, evals);
  return { problems, evals, skipped: empty.flatMap(describeSkipped) };
}

/** An eval that was read, and the problems found then. */
interface PreparationResult {
  /** Undefined if its suite has errors. */
  evalToRun?: EvalToRun;
  problems: Problems;
  selectionProblems: Problems;
}

async function prepareEvalToRun(
  path: string,
  options: ResolvedOptions,
  context: PrepareContext,
): Promise<PreparationResult> {
  let filled = options;
  const rates = new Problems();
  const { prepared, problems, selectionProblems } = await prepareEval(path, {
    ...context,
    suite: options.suite,
    control: options.control,
    strict: options.strict,
    // What this machine lacks, workers may have.
    skipRuntimeProblems: options.queue !== undefined,
    async choosePlanOptions(suites) {
      filled = fillPlaceholders(options, suites[0].eval.data.metadata.name);
      const plan = await addShardDurations(filled.plan, filled.shardDurations);
      filled = { ...filled, plan };
      checkRates(suites, options, rates);
      return plan;
    },
  });
  selectionProblems.addFrom(rates);
  const definitions = prepared && defineAgents(prepared.suites);
  if (!definitions) return { problems, selectionProblems };
  return {
    evalToRun: { ...prepared, path, options: filled, definitions },
    problems,
    selectionProblems,
  };
}

/** The eval is not to blame, but has the only place to point at. */
function checkRates(suites: Suites, { limits }: ResolvedOptions, problems: Problems): void {
  const { source, data } = suites[0].eval;
  const key = data.config.agent ? 'agent' : 'agentFile';
  for (const rate of limits.rates) {
    const fault = explainUnusedRate(suites, rate);
    if (!fault) continue;
    const message = `${rate.option}: ${fault.message}`;
    problems.atKey(source, ['config', key], 'unused-rate', message, fault.hint);
  }
}

/** Codes of options that are of no use to one eval, but may be to another one. */
const uselessOptionCodes: readonly ProblemCode[] = ['unused-label', 'unused-rate'];

/** Whether a problem is no reason to look at other evals, or is also one of this eval. */
function sharesProblem(
  { selectionProblems }: PreparationResult,
  { code, message }: Problem,
): boolean {
  if (!uselessOptionCodes.includes(code)) return true;
  const { problems } = selectionProblems.report();
  return problems.some((other) => other.code === code && other.message === message);
}

function describeSkipped(read: PreparationResult): SkippedEval[] {
  const reason = findEmptyReason(read);
  if (!read.evalToRun || reason === undefined) return [];
  const { plan, redactor } = read.evalToRun;
  return [{ name: redactor.text(plan.name), file: plan.file, reason }];
}

function findEmptyReason({ selectionProblems }: PreparationResult): string | undefined {
  const { problems } = selectionProblems.report();
  return problems.find(({ code }) => code === 'nothing-selected')?.message;
}

/** Throws UsageError. */
function refuseUselessModel(
  { suite: { models } }: ResolvedOptions,
  evals: readonly EvalToRun[],
): void {
  const definitions = evals.flatMap(({ definitions }) => [...definitions.values()]);
  if (!models || definitions.some(canTakeModel)) return;
  const names = [...new Set(definitions.map(({ name }) => name))];
  const hint = 'a command, an ACP agent or a script brings its own';
  const who = names.length > 1 ? 'none of the agents' : `the agent ${names[0]}`;
  const takes = names.length > 1 ? 'takes a model' : 'takes no model';
  throw new UsageError(`--model: ${who} ${takes}`, hint);
}
