import { parseWholeNumber } from '../../base/amounts.js';
import { UsageError } from '../../base/errors.js';
import { maxVotes } from '../../config/schemas/step-schemas.js';
import { maxParallel } from '../../run/session/check-option-table.js';
import type { CommandRun } from '../command.js';

/** The command line of `judge-eval`, checked. */
export interface JudgeEvalOptions {
  /** One of the two is given. */
  eval: string | undefined;
  judge: string | undefined;
  model: string | undefined;
  votes: number;
  parallel: number;
  isJson: boolean;
  strict: boolean;
  thresholds: Thresholds;
}

/** Thresholds that a judge has to reach, as far as they were given. */
export interface Thresholds {
  minAgreement: number | undefined;
  minKappa: number | undefined;
  maxFalsePasses: number | undefined;
}

const maxFalsePassesThereCanBe = 1_000_000;

export function parseJudgeEvalOptions({ options }: CommandRun): JudgeEvalOptions {
  const given = (key: string) => (typeof options[key] === 'string' ? options[key] : undefined);
  const evalFile = given('eval');
  const judge = given('judge');
  const model = given('model');
  if ((evalFile === undefined) === (judge === undefined)) {
    const message = judge === undefined ? 'there is no judge to measure' : 'there are two judges';
    throw new UsageError(message, 'name an eval with --eval, or an agent with --judge');
  }
  if (model?.trim() === '') throw new UsageError('--model: expected a value, found nothing');
  return {
    eval: evalFile,
    judge,
    model,
    votes: parseWholeNumber('--votes', String(options.votes), maxVotes),
    parallel: parseWholeNumber('--parallel', String(options.parallel), maxParallel),
    isJson: options.output === 'json',
    strict: options.strict === true,
    thresholds: {
      minAgreement: parseShare('--min-agreement', given('minAgreement')),
      minKappa: parseShare('--min-kappa', given('minKappa')),
      maxFalsePasses: parseMaxFalsePasses(given('maxFalsePasses')),
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
  return parseWholeNumber('--max-false-passes', text, maxFalsePassesThereCanBe, { least: 0 });
}
