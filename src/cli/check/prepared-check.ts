import { dirname, resolve } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import type { Problems } from '../../config/problem.js';
import { Redactor } from '../../config/redactor.js';
import { unusedRate } from '../../plan/checks/check-rates-used.js';
import { checkSuites } from '../../plan/checks/check-suite.js';
import { makePlan, type Plan } from '../../plan/plan.js';
import { loadSuites, type Suite } from '../../plan/suite.js';
import { secretsOfSuite } from '../../plan/suite-secrets.js';
import type { Variant } from '../../plan/variant.js';
import { agentDefinitions, takesModel } from '../../run/agent-definition.js';
import type { CheckOptions } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';

/** A suite that is fit to run, as far as its files tell. */
export interface PreparedCheck {
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

/** Undefined if something is wrong; the problems say what. */
export function prepareCheck(
  { arguments: [path = ''], io }: CommandRun,
  options: CheckOptions,
  problems: Problems,
): PreparedCheck | undefined {
  const { control } = options;
  const [first, ...others] = loadSuites(resolve(path), options.suite, problems);
  if (!first) return undefined;
  // Without an agent, who it would be makes no difference.
  const { variant: _, ...only } = first;
  const suite = control ? only : first;
  const suites = [suite, ...(control ? [] : others)] as const;
  checkSuites(suites, io.environment, problems);
  checkGivenRates(suites, options, problems);
  const plan = makePlan(
    suite,
    { ...options.plan, ...(control && { runs: 1 }), variants: variantsOf(suites) },
    problems,
  );
  const definitions = agentDefinitions(suites);
  if (!definitions || problems.report({ strict: options.strict }).errors > 0) return undefined;
  refuseUselessModel(options, [...definitions.values()]);
  const secrets = secretsOfSuite(suite, io.environment, suites);
  const evalFolder = dirname(suite.eval.source.path);
  return { suite, suites, plan, definitions, redactor: new Redactor(secrets), evalFolder };
}

/** The variants of a matrix; none if there is no matrix. */
export function variantsOf(suites: readonly Suite[]): Variant[] {
  return suites.flatMap(({ variant }) => variant ?? []);
}

function refuseUselessModel(
  { suite: { models } }: CheckOptions,
  definitions: readonly AgentDefinition[],
): void {
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
