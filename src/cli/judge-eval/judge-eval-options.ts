import { maxVotes } from '../../config/schemas/step-schemas.js';
import { maxParallel } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';
import { wholeNumber } from '../options.js';

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

/** What a judge has to reach; what is not given need not be. */
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
  const minAgreement = share('--min-agreement', given('minAgreement'));
  const minKappa = share('--min-kappa', given('minKappa'));
  const maxFalsePasses = falsePasses(given('maxFalsePasses'));
  return {
    ...(evalFile !== undefined && { eval: evalFile }),
    ...(judge !== undefined && { judge }),
    ...(model !== undefined && { model }),
    votes: wholeNumber('--votes', String(options.votes), maxVotes),
    parallel: wholeNumber('--parallel', String(options.parallel), maxParallel),
    isJson: options.output === 'json',
    strict: options.strict === true,
    thresholds: {
      ...(minAgreement !== undefined && { minAgreement }),
      ...(minKappa !== undefined && { minKappa }),
      ...(maxFalsePasses !== undefined && { maxFalsePasses }),
    },
  };
}

function share(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= 1) return number;
  throw new UsageError(
    `${option}: expected a number from 0 to 1, found ${JSON.stringify(text)}`,
    'write 0.9 for 90 percent',
  );
}

function falsePasses(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return text === '0' ? 0 : wholeNumber('--max-false-passes', text, maxFalsePassesThereCanBe);
}
