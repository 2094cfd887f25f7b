import { resolve } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import { readAgentFile } from '../../config/agent-file.js';
import type { Problems } from '../../config/problem.js';
import type { CheckLimitsData } from '../../config/schemas/check-limits-schema.js';
import type { Secrets } from '../../config/secrets.js';
import { secretsOf } from '../../config/secrets-of.js';
import { loadSuite } from '../../plan/suite.js';
import { secretsOfSuite } from '../../plan/suite-secrets.js';
import { canTakeModel, defineAgent, defineJudge } from '../../run/prepare/agent-definition.js';
import { agentOverride } from '../agent-override.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import type { JudgeEvalOptions } from './judge-eval-options.js';

export interface ChosenJudge {
  definition: AgentDefinition;
  secrets: Secrets;
  /** Of the eval, if it is that of one. */
  limits?: CheckLimitsData | undefined;
}

type Choice = Pick<JudgeEvalOptions, 'eval' | 'judge' | 'model'>;
type Environment = CommandIo['environment'];

/**
 * The judge that the command line names; undefined if something is wrong, as the problems say. Those
 * of the suite are apart: not all of them concern its judge.
 */
export function chosenJudge(
  { eval: evalFile, judge, model }: Choice,
  environment: Environment,
  problems: { suite: Problems; judge: Problems },
): ChosenJudge | undefined {
  const chosen =
    judge === undefined
      ? judgeOfEval(evalFile ?? '', environment, problems)
      : namedJudge(judge, environment, problems.judge);
  if (!chosen || model === undefined) return chosen;
  return { ...chosen, definition: withModel(chosen.definition, model) };
}

function judgeOfEval(
  path: string,
  environment: Environment,
  problems: { suite: Problems; judge: Problems },
): ChosenJudge | undefined {
  const suite = loadSuite(resolve(path), { environment }, problems.suite);
  if (!suite) return undefined;
  const { source, data } = suite.eval;
  if (!data.config.llmJudge && !source.isFaulty(['config', 'llmJudge'])) {
    const hint = 'add config.llmJudge to the eval, or name a judge with --judge';
    throw new UsageError(`${path} configures no judge`, hint);
  }
  const definition = defineJudge(suite, environment, problems.judge);
  const { limits } = data.config;
  return definition && { definition, secrets: secretsOfSuite(suite, environment), limits };
}

function namedJudge(
  text: string,
  environment: Environment,
  problems: Problems,
): ChosenJudge | undefined {
  const reference = agentOverride(text, '--judge');
  const { path } = reference;
  const file = path === undefined ? undefined : readAgentFile(path, problems);
  const definition = defineAgent(reference, file);
  const agents = definition ? [definition.data] : [];
  return definition && { definition, secrets: secretsOf({ agents }, environment) };
}

function withModel(definition: AgentDefinition, model: string): AgentDefinition {
  const { name, data } = definition;
  if (!canTakeModel(definition) || !data.builtin) {
    const hint = 'a command, an ACP agent or a script brings its own';
    throw new UsageError(`--model: the judge ${name} takes no model`, hint);
  }
  return { name, data: { ...data, builtin: { ...data.builtin, model } } };
}
