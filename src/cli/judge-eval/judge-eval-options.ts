import { resolve } from 'node:path';
import type { AgentDefinition } from '../../agents/agent.js';
import { parseWholeNumber } from '../../base/amounts.js';
import { readAgentFile } from '../../config/files/agent-file.js';
import type { Problems } from '../../config/problems/problem.js';
import type { CheckLimitsData } from '../../config/schemas/eval-schema.js';
import { maxVotes } from '../../config/schemas/step-schemas.js';
import type { Secrets } from '../../config/secrets/secrets.js';
import { collectSecrets } from '../../config/secrets/suite-secrets.js';
import { collectSuiteSecrets, loadSuite } from '../../plan/suite.js';
import { canTakeModel, defineAgent, defineJudge } from '../../run/prepare/agent-definition.js';
import { maxParallel } from '../../run/session/check-option-table.js';
import { resolveAgent } from '../../run/session/check-options.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../terminal/output.js';

/** The command line of `judge-eval`, checked. */
export interface JudgeEvalOptions {
  /** One of the two is given. */
  eval?: string;
  judge?: string;
  model?: string;
  votes: number;
  parallel: number;
  isJson: boolean;
  strict: boolean;
  thresholds: Thresholds;
}

/** Thresholds that a judge has to reach, as far as they were given. */
export interface Thresholds {
  minAgreement?: number;
  minKappa?: number;
  maxFalsePasses?: number;
}

const maxFalsePassesThereCanBe = 1_000_000;

export function judgeEvalOptionsOf({ options }: CommandRun): JudgeEvalOptions {
  const given = (key: string) => (typeof options[key] === 'string' ? options[key] : undefined);
  const evalFile = given('eval');
  const judge = given('judge');
  const model = given('model');
  if ((evalFile === undefined) === (judge === undefined)) {
    const message = judge === undefined ? 'there is no judge to measure' : 'there are two judges';
    throw new UsageError(message, 'name an eval with --eval, or an agent with --judge');
  }
  if (model?.trim() === '') throw new UsageError('--model: expected a value, found nothing');
  const minAgreement = parseShare('--min-agreement', given('minAgreement'));
  const minKappa = parseShare('--min-kappa', given('minKappa'));
  const maxFalsePasses = parseMaxFalsePasses(given('maxFalsePasses'));
  return {
    ...(evalFile !== undefined && { eval: evalFile }),
    ...(judge !== undefined && { judge }),
    ...(model !== undefined && { model }),
    votes: parseWholeNumber('--votes', String(options.votes), maxVotes),
    parallel: parseWholeNumber('--parallel', String(options.parallel), maxParallel),
    isJson: options.output === 'json',
    strict: options.strict === true,
    thresholds: {
      ...(minAgreement !== undefined && { minAgreement }),
      ...(minKappa !== undefined && { minKappa }),
      ...(maxFalsePasses !== undefined && { maxFalsePasses }),
    },
  };
}

function parseShare(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= 1) return number;
  throw new UsageError(
    `${option}: expected a number from 0 to 1, found ${JSON.stringify(text)}`,
    'write 0.9 for 90 percent',
  );
}

function parseMaxFalsePasses(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return text === '0' ? 0 : parseWholeNumber('--max-false-passes', text, maxFalsePassesThereCanBe);
}

export interface ChosenJudge {
  definition: AgentDefinition;
  secrets: Secrets;
  /** Limits of the eval that the judge comes from, if it comes from one. */
  limits?: CheckLimitsData | undefined;
}

type Choice = Pick<JudgeEvalOptions, 'eval' | 'judge' | 'model'>;
type Environment = CommandIo['environment'];

/**
 * The judge that the command line names; undefined if something is wrong, as the problems say. Those
 * of the suite are apart: not all of them concern its judge.
 */
export function chooseJudge(
  { eval: evalFile, judge, model }: Choice,
  environment: Environment,
  problems: { suite: Problems; judge: Problems },
): ChosenJudge | undefined {
  const chosen =
    judge === undefined
      ? readJudgeOfEval(evalFile ?? '', environment, problems)
      : readNamedJudge(judge, environment, problems.judge);
  if (!chosen || model === undefined) return chosen;
  return { ...chosen, definition: withModel(chosen.definition, model) };
}

function readJudgeOfEval(
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
  return definition && { definition, secrets: collectSuiteSecrets(suite, environment), limits };
}

function readNamedJudge(
  text: string,
  environment: Environment,
  problems: Problems,
): ChosenJudge | undefined {
  const reference = resolveAgent(text, '--judge');
  const { path } = reference;
  const file = path === undefined ? undefined : readAgentFile(path, problems);
  const definition = defineAgent(reference, file);
  const agents = definition ? [definition.data] : [];
  return definition && { definition, secrets: collectSecrets({ agents }, environment) };
}

function withModel(definition: AgentDefinition, model: string): AgentDefinition {
  const { name, data } = definition;
  if (!canTakeModel(definition) || !data.builtin) {
    const hint = 'a command, an ACP agent or a script brings its own';
    throw new UsageError(`--model: the judge ${name} takes no model`, hint);
  }
  return { name, data: { ...data, builtin: { ...data.builtin, model } } };
}
