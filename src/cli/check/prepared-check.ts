import { dirname, resolve } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import { type Problem, Problems } from '../../config/problem.js';
import { Redactor } from '../../config/redactor.js';
import { unusedRate } from '../../plan/checks/check-rates-used.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import { makePlan, type Plan } from '../../plan/plan.js';
import { loadSuites, type Suite } from '../../plan/suite.js';
import { secretsOfSuite } from '../../plan/suite-secrets.js';
import type { Variant } from '../../plan/variant.js';
import { agentDefinitions, takesModel } from '../../run/prepare/agent-definition.js';
import type { CheckOptions } from '../check-options.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { withShardDurations } from '../shard-durations.js';
import { sourcesOf } from '../sources-of.js';
import { isNeedOfRuns } from '../without-needs-of-runs.js';
import { optionsOfEval } from './eval-placeholder.js';

/** An eval that is fit to run, as far as its files tell. */
export interface PreparedCheck {
  /** Its file, as people would write it again. */
  path: string;
  /** Those of the check, as they are for this eval. */
  options: CheckOptions;
  /** Of the first variant, as far as variants do not matter. */
  suite: Suite;
  /** Of every variant; without a matrix, one. */
  suites: readonly [Suite, ...Suite[]];
  plan: Plan;
  /** Who does the tasks of each suite. */
  definitions: ReadonlyMap<Suite, AgentDefinition>;
  redactor: Redactor;
  evalFolder: string;
}

/** Where problems go: those of the suite, and those of what options select in it. */
export interface ProblemsOfEval {
  suite: Problems;
  selection: Problems;
}

/** Undefined if something is wrong with the suite; its problems say what. Throws UsageError. */
export async function prepareCheck(
  path: string,
  io: CommandIo,
  given: CheckOptions,
  { suite: all, selection }: ProblemsOfEval,
): Promise<PreparedCheck | undefined> {
  const { control } = given;
  const problems = new Problems();
  // What this machine lacks, workers may have.
  const isCounted = (problem: Problem) => !given.queue || !isNeedOfRuns(problem);
  const evalPath = resolve(path);
  const sources = await sourcesOf(evalPath, io, 'fetch', { besideEval: given.queue !== undefined });
  const [first, ...others] = loadSuites(evalPath, { ...given.suite, sources }, problems);
  if (!first) {
    all.addFrom(problems, isCounted);
    return undefined;
  }
  const own = optionsOfEval(given, first.eval.data.metadata.name);
  const options = { ...own, plan: await withShardDurations(own.plan, own.shardDurations) };
  // Without an agent, who it would be makes no difference.
  const { variant: _, ...only } = first;
  const suite = control ? only : first;
  const suites = [suite, ...(control ? [] : others)] as const;
  checkSuites(suites, io.environment, problems);
  checkGivenRates(suites, options, selection);
  const plan = makePlan(
    suite,
    { ...options.plan, ...(control && { runs: 1 }), variants: variantsOf(suites) },
    selection,
  );
  const definitions = agentDefinitions(suites);
  all.addFrom(problems, isCounted);
  if (!definitions || all.report({ strict: options.strict }).errors > 0) return undefined;
  const secrets = secretsOfSuite(suite, io.environment, suites);
  const evalFolder = dirname(suite.eval.source.path);
  const redactor = new Redactor(secrets);
  return { path, options, suite, suites, plan, definitions, redactor, evalFolder };
}

/** The variants of a matrix; none if there is no matrix. */
export function variantsOf(suites: readonly Suite[]): Variant[] {
  return suites.flatMap(({ variant }) => variant ?? []);
}

/** Throws UsageError. */
export function refuseUselessModel(
  { suite: { models } }: CheckOptions,
  evals: readonly PreparedCheck[],
): void {
  const definitions = evals.flatMap(({ definitions }) => [...definitions.values()]);
  if (!models || definitions.some(takesModel)) return;
  const names = [...new Set(definitions.map(({ name }) => name))];
  const hint = 'a command, an ACP agent or a script brings its own';
  const who = names.length > 1 ? 'none of the agents' : `the agent ${names[0]}`;
  const takes = names.length > 1 ? 'takes a model' : 'takes no model';
  throw new UsageError(`--model: ${who} ${takes}`, hint);
}

/** The eval is not to blame, but has the only place to point at. */
function checkGivenRates(
  suites: readonly [Suite, ...Suite[]],
  { limits }: CheckOptions,
  problems: Problems,
): void {
  const { source, data } = suites[0].eval;
  const key = data.config.agent ? 'agent' : 'agentFile';
  for (const rate of limits.rates) {
    const fault = unusedRate(suites, rate);
    if (!fault) continue;
    const message = `${rate.option}: ${fault.message}`;
    problems.atKey(source, ['config', key], 'unused-rate', message, fault.hint);
  }
}
