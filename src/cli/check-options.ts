import { extname } from 'node:path';
import type { QueueUse } from '../queue/queue-runner.js';
import { isJsonOnStdout, parseReporterRequests } from '../run/reporters/reporter-requests.js';
import type { CheckOptions } from '../run/session/check-options.js';
import { budgetOf } from './budget-options.js';
import { parseQueueUse } from './check/queue-use.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';
import { limitOptionsOf } from './limit-options.js';
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
  refuseSenseless(options);
  const { bail, keepWorkdir } = options;
  const reporters = parseReporterRequests(listOf(options.reporter), outputOf(options));
  const checked: CheckCommandOptions = {
    plan: planOptionsOf(call),
    suite: suiteOptionsOf(call),
    parallel: wholeNumber('--parallel', String(options.parallel), maxParallel),
    budget: budgetOf(call),
    limits: limitOptionsOf(call),
    output: reporters.some(isJsonOnStdout) ? 'json' : 'text',
    reporters,
    shardDurations: listOf(options.shardDurations),
    resume: options.resume === true,
    force: options.force === true,
    control: options.control === true,
    strict: options.strict === true,
    verbose: options.verbose === true,
  };
  const queue = parseQueueUse(call);
  if (queue) Object.assign(checked, { queue, workers: { isDetached: queue.isDetached } });
  const out = nonEmpty(options, 'out', '--out');
  if (out !== undefined) checked.out = resultsFile(out);
  const rerunFailed = nonEmpty(options, 'rerunFailed', '--rerun-failed');
  if (rerunFailed !== undefined) checked.rerunFailed = rerunFailed;
  refuseUndecidedRuns(checked);
  refuseUndecidedDetached(checked);
  if (bail === true) checked.bail = 1;
  else if (typeof bail === 'string') checked.bail = wholeNumber('--bail', bail, maxBail);
  if (keepWorkdir === 'failed' || keepWorkdir === 'always') checked.keepWorkdir = keepWorkdir;
  return checked;
}

type Given = CommandRun['options'];

function outputOf({ output }: Given): 'text' | 'json' {
  return output === 'json' ? 'json' : 'text';
}

function listOf(value: Given[string]): string[] {
  return Array.isArray(value) ? value : [];
}

/** Pairs that contradict each other, with the reason why. */
const senseless: readonly [one: string, other: string, reason: string][] = [
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

function refuseSenseless(options: Given) {
  for (const [one, other, reason] of senseless) {
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

function isGiven(options: Given, flag: string): boolean {
  const key = flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const value = options[key];
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

function nonEmpty(options: Given, key: string, flag: string): string | undefined {
  const value = options[key];
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') throw new UsageError(`${flag}: expected a value, found nothing`);
  return value;
}

/** The journal is beside the results, with the ending .jsonl: they must not be the same file. */
function resultsFile(path: string): string {
  if (extname(path).toLowerCase() !== '.jsonl') return path;
  const hint = 'name the results file, such as results.json; the journal gets the ending .jsonl';
  throw new UsageError('--out: a results file cannot end in .jsonl', hint);
}
