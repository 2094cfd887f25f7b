import { extname } from 'node:path';
import { parseDuration } from '../base/duration.js';
import { didYouMean } from '../base/nearest.js';
import { findProvider, providerNames } from '../config/models.js';
import type { Rate } from '../limits/rate-limiter.js';
import type { QueueUse } from '../queue/queue-runner.js';
import { isJsonOnStdout, parseReporterRequests } from '../run/reporters/reporter-requests.js';
import type { CheckLimits, CheckOptions } from '../run/session/check-options.js';
import { parseQueueUse } from './check/queue-use.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';
import { parseDollars, parseTokens } from './option-amounts.js';
import { planOptionsOf, suiteOptionsOf, wholeNumber } from './options.js';

/** The options of `check`: those of the engine, and how the command shows and hands over what it does. */
export interface CheckCommandOptions extends CheckOptions {
  /** With `json`, problems of the suite are printed as data too. */
  output: 'text' | 'json';
  /** Workers do the task runs. */
  queue?: QueueUse;
  verbose: boolean;
}

export const maxParallel = 256;
const maxBail = 1_000_000;

/** Throws UsageError. */
export function parseCheckOptions(call: CommandRun): CheckCommandOptions {
  const { options } = call;
  refuseContradictions(options);
  const { bail, keepWorkdir } = options;
  const reporters = parseReporterRequests(toList(options.reporter), parseOutput(options));
  const checked: CheckCommandOptions = {
    plan: planOptionsOf(call),
    suite: suiteOptionsOf(call),
    parallel: wholeNumber('--parallel', String(options.parallel), maxParallel),
    budget: parseBudget(call),
    limits: parseLimits(call),
    output: reporters.some(isJsonOnStdout) ? 'json' : 'text',
    reporters,
    shardDurations: toList(options.shardDurations),
    resume: options.resume === true,
    force: options.force === true,
    control: options.control === true,
    strict: options.strict === true,
    verbose: options.verbose === true,
  };
  const queue = parseQueueUse(call);
  if (queue) Object.assign(checked, { queue, workers: { isDetached: queue.isDetached } });
  const out = parseNonEmpty(options, 'out', '--out');
  if (out !== undefined) checked.out = checkResultsFile(out);
  const rerunFailed = parseNonEmpty(options, 'rerunFailed', '--rerun-failed');
  if (rerunFailed !== undefined) checked.rerunFailed = rerunFailed;
  refuseUndecidedRuns(checked);
  refuseUndecidedDetached(checked);
  if (bail === true) checked.bail = 1;
  else if (typeof bail === 'string') checked.bail = wholeNumber('--bail', bail, maxBail);
  if (keepWorkdir === 'failed' || keepWorkdir === 'always') checked.keepWorkdir = keepWorkdir;
  return checked;
}

type RawOptions = CommandRun['options'];

function parseOutput({ output }: RawOptions): 'text' | 'json' {
  return output === 'json' ? 'json' : 'text';
}

function toList(value: RawOptions[string]): string[] {
  return Array.isArray(value) ? value : [];
}

/** Pairs that contradict each other, with the reason why. */
const contradictions: readonly [one: string, other: string, reason: string][] = [
  [
    '--resume',
    '--rerun-failed',
    'one goes on with a run, the other starts a new one from its failures',
  ],
  ['--control', '--resume', 'a run without an agent is quick: start it again'],
  ['--control', '--rerun-failed', 'a run without an agent looks at tasks, not at earlier results'],
  ['--control', '--runs', 'every task runs once without an agent'],
  ['--control', '--agent', 'a control run has no agent'],
  ['--control', '--model', 'a control run has no agent, so no model'],
  ['--control', '--bail', 'a task that fails without an agent is a good one'],
  ['--control', '--concurrent-agents', 'a control run has no agent'],
];

function refuseContradictions(options: RawOptions) {
  for (const [one, other, reason] of contradictions) {
    if (isGiven(options, one) && isGiven(options, other)) {
      throw new UsageError(`${one} and ${other} do not go together: ${reason}`);
    }
  }
}

/** Which runs failed is known by their numbers; how many there are, auto decides anew. */
function refuseUndecidedRuns({ plan: { autoRuns }, rerunFailed }: CheckCommandOptions): void {
  if (!autoRuns || rerunFailed === undefined) return;
  const message =
    '--runs auto and --rerun-failed do not go together: what failed is run once again';
  throw new UsageError(message, `say how many runs there were at most: --runs ${autoRuns.most}`);
}

/** `--runs auto` needs this process to schedule further runs; `--detach` ends it. */
function refuseUndecidedDetached({ plan: { autoRuns }, queue }: CheckCommandOptions): void {
  if (!autoRuns || !queue?.isDetached) return;
  const why = 'this process decides which runs are needed';
  throw new UsageError(`--runs auto and --detach do not go together: ${why}`);
}

function isGiven(options: RawOptions, flag: string): boolean {
  const key = flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = options[key];
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function parseNonEmpty(options: RawOptions, key: string, flag: string): string | undefined {
  const value = options[key];
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') throw new UsageError(`${flag}: expected a value, found nothing`);
  return value;
}

/** The journal is beside the results, with the ending .jsonl: they must not be the same file. */
function checkResultsFile(path: string): string {
  if (extname(path).toLowerCase() !== '.jsonl') return path;
  const hint = 'name the results file, such as results.json; the journal gets the ending .jsonl';
  throw new UsageError('--out: a results file cannot end in .jsonl', hint);
}

/** What a whole check may spend. Throws UsageError. */
function parseBudget({ options }: CommandRun): CheckOptions['budget'] {
  const { maxCost, maxTokens, maxDuration } = options;
  return {
    ...(typeof maxCost === 'string' && {
      cost: parsePositive('--max-cost', parseDollars, maxCost),
    }),
    ...(typeof maxTokens === 'string' && {
      tokens: parsePositive('--max-tokens', parseTokens, maxTokens),
    }),
    ...(typeof maxDuration === 'string' && { duration: parseBudgetDuration(maxDuration) }),
  };
}

/** With a budget of nothing, nothing would run. */
function parsePositive(
  option: string,
  amountOf: (option: string, text: string) => number,
  text: string,
): number {
  const amount = amountOf(option, text);
  if (amount > 0) return amount;
  throw new UsageError(`${option}: a budget is more than zero, found ${JSON.stringify(text)}`);
}

function parseBudgetDuration(text: string): number {
  const result = parseDuration(text);
  if (result.ok && result.milliseconds > 0) return result.milliseconds;
  const reason = result.ok ? 'a budget is more than zero' : result.reason;
  const message = `--max-duration: invalid duration ${JSON.stringify(text)}: ${reason}`;
  throw new UsageError(message, 'write it like 30s, 5m or 1h30m');
}

const maxAgents = 100_000;
const maxPerMinute = 1_000_000_000;

type WrittenRate = CheckLimits['rates'][number];

export function parseLimits({ options }: CommandRun): CheckLimits {
  const { concurrentAgents: agents } = options;
  return {
    ...(typeof agents === 'string' && {
      concurrentAgents: wholeNumber('--concurrent-agents', agents, maxAgents),
    }),
    rates: [
      ...parseRates('--requests-per-minute', options.requestsPerMinute, 'requestsPerMinute'),
      ...parseRates('--tokens-per-minute', options.tokensPerMinute, 'tokensPerMinute'),
    ],
  };
}

function parseRates(
  flag: string,
  values: CommandRun['options'][string],
  key: 'requestsPerMinute' | 'tokensPerMinute',
): WrittenRate[] {
  const seen = new Set<string>();
  return (Array.isArray(values) ? values : []).map((text) => {
    const split = text.lastIndexOf('=');
    const target = split < 0 ? undefined : text.slice(0, split).trim();
    const perMinute = wholeNumber(flag, text.slice(split + 1).trim(), maxPerMinute);
    const rate: Rate = { ...(target !== undefined && parseTarget(flag, target)), [key]: perMinute };
    const name = JSON.stringify([rate.provider ?? null, rate.model ?? null]);
    if (seen.has(name)) {
      throw new UsageError(`${flag}: ${target ?? 'every model'} is given two limits`);
    }
    seen.add(name);
    return { ...rate, option: `${flag} ${text}` };
  });
}

/** `provider` or `provider:model`. */
function parseTarget(flag: string, text: string): Pick<Rate, 'provider' | 'model'> {
  const end = text.indexOf(':');
  const name = end < 0 ? text : text.slice(0, end);
  const provider = findProvider(name);
  if (provider === undefined) {
    const expected = `expected one of ${providerNames.join(', ')}`;
    const hint = didYouMean(name, providerNames) ?? 'write a model as provider:model=n';
    throw new UsageError(`${flag}: unknown provider ${JSON.stringify(name)}: ${expected}`, hint);
  }
  const model = end < 0 ? undefined : text.slice(end + 1);
  if (model === '') throw new UsageError(`${flag}: expected a model after ${name}:, found nothing`);
  return { provider, ...(model !== undefined && { model }) };
}
