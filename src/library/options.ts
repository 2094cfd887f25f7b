import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { parseDuration } from '../base/duration.js';
import { UsageError } from '../base/errors.js';
import { builtinAgents } from '../config/agent-kinds.js';
import { findProvider, providerNames } from '../config/models.js';
import { compilePattern, type Pattern } from '../config/patterns/pattern.js';
import type { Environment } from '../config/placeholders/environment-variables.js';
import { maxRuns } from '../config/schemas/fields.js';
import { defaultRunsRule, fewestRuns } from '../plan/enough-runs.js';
import { parseLabelSelector } from '../plan/labels.js';
import { parseAgentReference } from '../plan/matrix.js';
import type { PlanOptions } from '../plan/plan.js';
import { parseShard } from '../plan/shard.js';
import type { SuiteOptions } from '../plan/suite.js';
import type { CreateReporter, Reporter } from '../reporters/reporter.js';
import type { ReporterRequest } from '../run/reporters/reporter-requests.js';
import type { CheckLimits, CheckOptions } from '../run/session/check-options.js';

/**
 * What may be done to get tasks that an eval takes from elsewhere. `offline`: only what is pinned and in the cache is
 * used. `fetch`: what is missing is fetched, and pinned. `update`: every ref is looked up and pinned anew.
 */
export type SourceMode = 'offline' | 'fetch' | 'update';

/** Options of reading an eval. They have the names and meanings of those of `proctor validate`. */
export interface LoadOptions {
  /** Built-in agents or Agent files, in place of the eval's. Several make a matrix. */
  agent?: string | readonly string[] | undefined;
  /** Models for the agents. Several make a matrix. */
  model?: string | readonly string[] | undefined;
  /** MCP config files, in place of the eval's. Several make a matrix. */
  mcpConfigFile?: string | readonly string[] | undefined;
  /** A file that says what models cost. */
  prices?: string | undefined;
  /** Warnings count as errors. */
  strict?: boolean | undefined;
  /** How tasks from elsewhere are found. Default: `fetch` for a run, otherwise `offline`. */
  sources?: SourceMode | undefined;
  /** Environment variables for everything that is read and started. Default: those of this process. */
  environment?: Environment | undefined;
  /** Aborts the work. */
  signal?: AbortSignal | undefined;
}

/** Options that decide which task runs there are. They have the names and meanings of those of `proctor list`. */
export interface PlanEvalOptions extends LoadOptions {
  /** Only tasks whose name matches this pattern, in RE2 syntax and unanchored. */
  run?: string | undefined;
  /** Only tasks with these labels: `key=value,key=value`. */
  labelSelector?: string | undefined;
  /** Runs of every task; `auto`: until the interval of its pass rate is narrow enough. */
  runs?: number | 'auto' | undefined;
  /** With `runs: 'auto'`: how wide the interval may be, between 0 and 1. */
  runsWidth?: number | undefined;
  /** With `runs: 'auto'`: the most runs of a task. */
  runsMax?: number | undefined;
  /** Only one part of the plan: `1/3`. */
  shard?: string | undefined;
  /** Results by whose durations shards are balanced. */
  shardDurations?: readonly string[] | undefined;
  /** The time limit of every task, such as `90s` or `5m`. */
  taskTimeout?: string | undefined;
  /** The time limit of tasks that set none. */
  defaultTaskTimeout?: string | undefined;
  /** The time limit of every cleanup. */
  cleanupTimeout?: string | undefined;
  /** The time limit of cleanups that set none. */
  defaultCleanupTimeout?: string | undefined;
}

/** The requests or tokens per minute of every model, or by `provider` and `provider:model`. */
export type RateOption = number | Readonly<Record<string, number>>;

/**
 * A reporter of a run: `name=file` as `--reporter` takes it, the path of a module, a reporter, or a function that makes
 * one for each eval.
 */
export type ReporterOption = string | Reporter | CreateReporter;

/** Options of a run. They have the names and meanings of those of `proctor check`. */
export interface RunOptions extends PlanEvalOptions {
  /**
   * The results file; the journal is beside it, with the ending `.jsonl`. `{eval}` stands for the name of the eval.
   * Without it no file stays, and the results are kept in memory.
   */
  out?: string | undefined;
  /** Goes on with what an earlier run left. Needs `out`. */
  resume?: boolean | undefined;
  /** With `resume`: although files have changed. Otherwise: overwrites the journal of an unfinished run. */
  force?: boolean | undefined;
  /** Only task runs that did not pass in these results. */
  rerunFailed?: string | undefined;
  /** No agent: a task that passes all the same checks nothing, and fails. */
  control?: boolean | undefined;
  /** How many parallel task runs go on at once. Default: 4. */
  parallel?: number | undefined;
  /** Starts nothing more after so many task runs that did not pass; `true`: after the first. */
  bail?: boolean | number | undefined;
  /** How many agents work at once. */
  concurrentAgents?: number | undefined;
  /** The most requests to a model per minute. */
  requestsPerMinute?: RateOption | undefined;
  /** The most tokens of a model per minute. */
  tokensPerMinute?: RateOption | undefined;
  /** Starts nothing more when so many US dollars are spent. */
  maxCost?: number | undefined;
  /** Starts nothing more when so many tokens are spent. */
  maxTokens?: number | undefined;
  /** Starts nothing more after this time, such as `30m`. */
  maxDuration?: string | undefined;
  /** Keeps working directories: of task runs that did not pass, or of all. */
  keepWorkdir?: 'failed' | 'always' | undefined;
  reporters?: readonly ReporterOption[] | undefined;
  /** Where reporters without a file write to, such as `process.stdout`. Without it, built-in ones need a file. */
  stdout?: TextOutput | undefined;
}

/** Something that text can be written to, such as a stream of Node.js. */
export interface TextOutput {
  write(text: string): unknown;
}

/** The environment that was given, or that of this process. */
export function getEnvironment({ environment = process.env }: LoadOptions): NodeJS.ProcessEnv {
  return { ...environment };
}

/** Throws UsageError. */
export function toSuiteOptions(options: LoadOptions): SuiteOptions {
  const { prices } = options;
  const agents = toList('--agent', options.agent);
  const models = toList('--model', options.model);
  const mcpConfigFiles = toList('--mcp-config-file', options.mcpConfigFile);
  return {
    environment: getEnvironment(options),
    ...(agents && { agents: agents.map((written) => ({ written, value: toAgent(written) })) }),
    ...(models && { models }),
    ...(mcpConfigFiles && {
      mcpConfigFiles: mcpConfigFiles.map((written) => ({ written, value: resolve(written) })),
    }),
    ...(prices !== undefined && { pricesFile: resolve(prices) }),
  };
}

function toAgent(text: string) {
  const reference = parseAgentReference(text, (path) => resolve(path));
  if (reference.path === undefined || existsSync(reference.path)) return reference;
  const hint = `builtin agents: ${builtinAgents.join(', ')}`;
  throw new UsageError(`--agent: ${text} is neither a builtin agent nor a file`, hint);
}

function toList(option: string, given: string | readonly string[] | undefined) {
  const list = typeof given === 'string' ? [given] : given;
  if (list?.some((each) => each.trim() === '')) {
    throw new UsageError(`${option}: expected a value, found nothing`);
  }
  return list && list.length > 0 ? list : undefined;
}

/** Throws UsageError. */
export function toPlanOptions(options: PlanEvalOptions): PlanOptions {
  const { run, labelSelector, shard } = options;
  const timeouts = {
    taskTimeout: checkDuration('--task-timeout', options.taskTimeout),
    defaultTaskTimeout: checkDuration('--default-task-timeout', options.defaultTaskTimeout),
    cleanupTimeout: checkDuration('--cleanup-timeout', options.cleanupTimeout),
    defaultCleanupTimeout: checkDuration(
      '--default-cleanup-timeout',
      options.defaultCleanupTimeout,
    ),
  };
  const pattern = toPattern('--run', run);
  return {
    ...dropUndefined(timeouts),
    ...toRuns(options),
    ...(pattern && { run: pattern }),
    ...(labelSelector !== undefined && {
      labels: requireParsed('--label-selector', parseLabelSelector(labelSelector)),
    }),
    ...(shard !== undefined && { shard: requireParsed('--shard', parseShard(shard)) }),
  };
}

function toRuns({
  runs,
  runsWidth,
  runsMax,
}: PlanEvalOptions): Pick<PlanOptions, 'runs' | 'autoRuns'> {
  if (runs !== 'auto') {
    const alone = runsWidth === undefined ? runsMax && '--runs-max' : '--runs-width';
    if (alone) throw new UsageError(`${alone} goes with --runs auto alone`);
    return runs === undefined ? {} : { runs: requireWhole('--runs', runs, 1, maxRuns) };
  }
  const { width, most } = defaultRunsRule;
  if (runsWidth !== undefined && !(runsWidth > 0 && runsWidth < 1)) {
    throw new UsageError(`--runs-width: expected a number between 0 and 1, found ${runsWidth}`);
  }
  return {
    autoRuns: {
      width: runsWidth ?? width,
      most: runsMax === undefined ? most : requireWhole('--runs-max', runsMax, fewestRuns, maxRuns),
    },
  };
}

/** Compiles a pattern. Throws UsageError. */
export function toPattern(option: string, source: string | undefined): Pattern | undefined {
  if (source === undefined) return undefined;
  const result = compilePattern(source);
  if (result.ok) return result.pattern;
  throw new UsageError(`${option}: invalid pattern ${JSON.stringify(source)}: ${result.reason}`);
}

const maxParallel = 256;
const maxCount = 1_000_000_000;

/** The options of a check; `reporters` are made of those that were given. Throws UsageError. */
export function toCheckOptions(
  options: RunOptions,
  reporters: readonly ReporterRequest[],
): CheckOptions {
  refuseContradictions(options);
  const { out, rerunFailed, keepWorkdir } = options;
  const bail = options.bail === true ? 1 : options.bail || undefined;
  return {
    plan: toPlanOptions(options),
    suite: toSuiteOptions(options),
    parallel: requireWhole('--parallel', options.parallel ?? 4, 1, maxParallel),
    limits: toLimits(options),
    budget: toBudget(options),
    reporters,
    shardDurations: options.shardDurations ?? [],
    resume: options.resume === true,
    force: options.force === true,
    control: options.control === true,
    strict: options.strict === true,
    ...(out !== undefined && { out: checkResultsFile(out) }),
    ...(rerunFailed !== undefined && { rerunFailed }),
    ...(bail !== undefined && { bail: requireWhole('--bail', bail, 1, maxCount) }),
    ...(keepWorkdir !== undefined && { keepWorkdir }),
  };
}

const contradictions = [
  ['resume', 'rerunFailed', 'one goes on with a run, the other starts a new one'],
  ['control', 'resume', 'a run without an agent is quick: start it again'],
  ['control', 'rerunFailed', 'a run without an agent looks at tasks, not at earlier results'],
  ['control', 'runs', 'every task runs once without an agent'],
  ['control', 'agent', 'a control run has no agent'],
  ['control', 'model', 'a control run has no agent, so no model'],
  ['control', 'bail', 'a task that fails without an agent is a good one'],
  ['control', 'concurrentAgents', 'a control run has no agent'],
] as const;

function refuseContradictions(options: RunOptions): void {
  for (const [one, other, reason] of contradictions) {
    if (!options[one] || !options[other]) continue;
    throw new UsageError(`${toFlag(one)} and ${toFlag(other)} do not go together: ${reason}`);
  }
  if (options.runs === 'auto' && options.rerunFailed !== undefined) {
    throw new UsageError('--runs auto and --rerun-failed do not go together');
  }
  if (options.resume && options.out === undefined) {
    throw new UsageError('--resume needs --out: without it, no run leaves anything behind');
  }
}

/** The name of an option on the command line, by which all messages name it. */
function toFlag(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function checkResultsFile(path: string): string {
  if (path.trim() === '') throw new UsageError('--out: expected a value, found nothing');
  if (extname(path).toLowerCase() !== '.jsonl') return path;
  const hint = 'name the results file, such as results.json; the journal gets the ending .jsonl';
  throw new UsageError('--out: a results file cannot end in .jsonl', hint);
}

function toBudget({ maxCost, maxTokens, maxDuration }: RunOptions): CheckOptions['budget'] {
  return dropUndefined({
    cost: requirePositive('--max-cost', maxCost),
    tokens: requirePositive('--max-tokens', maxTokens),
    duration:
      maxDuration === undefined
        ? undefined
        : parseLimit('--max-duration', maxDuration).milliseconds,
  });
}

function toLimits(options: RunOptions): CheckLimits {
  const { concurrentAgents: agents, requestsPerMinute, tokensPerMinute } = options;
  return {
    ...(agents !== undefined && {
      concurrentAgents: requireWhole('--concurrent-agents', agents, 1, maxCount),
    }),
    rates: [
      ...toRates('requestsPerMinute', requestsPerMinute),
      ...toRates('tokensPerMinute', tokensPerMinute),
    ],
  };
}

function toRates(
  key: 'requestsPerMinute' | 'tokensPerMinute',
  given: RateOption | undefined,
): CheckLimits['rates'] {
  const flag = toFlag(key);
  if (given === undefined) return [];
  if (typeof given === 'number') {
    return [{ [key]: requireWhole(flag, given, 1, maxCount), option: `${flag} ${given}` }];
  }
  return Object.entries(given).map(([target, perMinute]) => {
    const [name = '', ...rest] = target.split(':');
    const provider = findProvider(name);
    if (provider === undefined) {
      const expected = `expected one of ${providerNames.join(', ')}`;
      throw new UsageError(`${flag}: unknown provider ${JSON.stringify(name)}: ${expected}`);
    }
    return {
      provider,
      ...(rest.length > 0 && { model: rest.join(':') }),
      [key]: requireWhole(flag, perMinute, 1, maxCount),
      option: `${flag} ${target}=${perMinute}`,
    };
  });
}

function checkDuration(option: string, text: string | undefined): string | undefined {
  if (text !== undefined) parseLimit(option, text);
  return text;
}

function parseLimit(option: string, text: string): { milliseconds: number } {
  const result = parseDuration(text);
  if (result.ok && result.milliseconds > 0) return result;
  const reason = result.ok ? 'a limit is more than zero' : result.reason;
  const message = `${option}: invalid duration ${JSON.stringify(text)}: ${reason}`;
  throw new UsageError(message, 'write it like 300ms, 30s, 5m or 1h30m');
}

function requireWhole(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const expected = `expected a whole number from ${least} to ${most}`;
  throw new UsageError(`${option}: ${expected}, found ${JSON.stringify(value)}`);
}

function requirePositive(option: string, value: number | undefined): number | undefined {
  if (value === undefined || value > 0) return value;
  throw new UsageError(`${option}: a budget is more than zero, found ${JSON.stringify(value)}`);
}

function requireParsed<Value extends object>(option: string, parsed: Value | string): Value {
  if (typeof parsed === 'string') throw new UsageError(`${option}: ${parsed}`);
  return parsed;
}

type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

function dropUndefined<Values extends object>(values: Values): Defined<Values> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Defined<Values>;
}
