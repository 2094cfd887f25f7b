import { dirname, resolve } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import type { Problems } from '../../config/problem.js';
import { Redactor } from '../../config/redactor.js';
import { checkSuite } from '../../plan/checks/check-suite.js';
import { makePlan, type Plan } from '../../plan/plan.js';
import { loadSuite, type Suite } from '../../plan/suite.js';
import { secretsOfSuite } from '../../plan/suite-secrets.js';
import { agentDefinition, takesModel } from '../../run/agent-definition.js';
import { agentOverride } from '../agent-override.js';
import type { CheckOptions } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';

/** A suite that is fit to run, as far as its files tell. */
export interface PreparedCheck {
  suite: Suite;
  plan: Plan;
  definition: AgentDefinition;
  redactor: Redactor;
  evalFolder: string;
}

/** Undefined if something is wrong; the problems say what. */
export function prepareCheck(
  { arguments: [path = ''], io }: CommandRun,
  options: CheckOptions,
  problems: Problems,
): PreparedCheck | undefined {
  const { agent, model, control } = options;
  const suite = loadSuite(
    resolve(path),
    {
      ...options.suite,
      ...(agent !== undefined && { agent: agentOverride(agent, model) }),
      ...(model !== undefined && { model }),
    },
    problems,
  );
  if (!suite) return undefined;
  checkSuite(suite, io.environment, problems);
  const plan = makePlan(suite, { ...options.plan, ...(control && { runs: 1 }) }, problems);
  const definition = agentDefinition(suite);
  if (!definition || problems.report({ strict: options.strict }).errors > 0) return undefined;
  if (model !== undefined && !takesModel(definition)) {
    const hint = 'a command, an ACP agent or a script brings its own';
    throw new UsageError(`--model: the agent ${definition.name} takes no model`, hint);
  }
  const secrets = secretsOfSuite(suite, io.environment);
  const evalFolder = dirname(suite.eval.source.path);
  return { suite, plan, definition, redactor: new Redactor(secrets), evalFolder };
}
