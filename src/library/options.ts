import { UsageError } from '../base/errors.js';
import { didYouMean } from '../base/nearest.js';
import type { Environment } from '../config/placeholders/environment-variables.js';
import type { CreateReporter, Reporter } from '../reporters/reporter.js';
import { type CheckOptionKey, checkOptionEntries } from '../run/session/check-option-table.js';
import { type ResolvedOptions, resolveCheckOptions } from '../run/session/check-options.js';

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

/** Options that decide which task runs there are. They have the names and meanings of those of `proctor check`. */
export interface PlanEvalOptions extends LoadOptions {
  /** `--run`: only tasks whose name matches this pattern, in RE2 syntax and unanchored. How often they run is `runs`. */
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
  /** Only task runs that did not pass in these results. */
  rerunFailed?: string | undefined;
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
  /** With `resume`: goes on even if files or options have changed. Otherwise: overwrites the files of an unfinished run. */
  force?: boolean | undefined;
  /** Runs without an agent, to find tasks that check nothing: one that passes anyway counts as a failure. */
  control?: boolean | undefined;
  /** How many task runs of tasks with `parallel: true` go on at once. All others run before them, one at a time. Default: 4. */
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

const needsWorkers = 'runs with workers are for the command line: proctor check --queue';

/**
 * Options of `proctor check` that the library does not take, with what to do instead. The compiler demands that every
 * option of the table is either here or in `RunOptions`.
 */
const commandLineOptions: Readonly<Record<Exclude<CheckOptionKey, keyof RunOptions>, string>> = {
  queue: needsWorkers,
  queuePrefix: needsWorkers,
  detach: needsWorkers,
  queueTtl: needsWorkers,
  bundleRoot: needsWorkers,
  bundleMaxSize: needsWorkers,
  output: 'the library prints nothing: use what it returns, or reporters',
  reporter: 'write reporters, with a list',
};

/** Options that the library has, and the command line has not. */
const libraryOptions: KeysOf<Omit<RunOptions, CheckOptionKey>> = {
  sources: true,
  environment: true,
  signal: true,
  reporters: true,
  stdout: true,
};

/** The keys of options, as data: the compiler demands that all are there, and no other one. */
export type KeysOf<Options> = Readonly<Record<keyof Options, true>>;

/** Throws UsageError for options that do not exist, which would do nothing. */
export function refuseUnknownOptions<Options extends object>(
  given: Options,
  keys: KeysOf<Options>,
): void {
  refuseOthers(given, Object.keys(keys));
}

function refuseOthers(given: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || names.includes(name)) continue;
    const hint = didYouMean(name, names) ?? `options are: ${names.join(', ')}`;
    throw new UsageError(`there is no option ${JSON.stringify(name)}`, hint);
  }
}

/**
 * Throws UsageError for options that do not exist. `loadEval` and `planEval` accept options of a run, too, and ignore
 * them, so that a program can pass the same object to all.
 */
function refuseUnknownRunOptions(options: RunOptions): void {
  const keys = checkOptionEntries.map(([key]) => key);
  const isTaken = (key: CheckOptionKey) => !(key in commandLineOptions);
  for (const [key, hint] of Object.entries(commandLineOptions)) {
    const value = (options as Readonly<Record<string, unknown>>)[key];
    if (value === undefined || value === false) continue;
    throw new UsageError(`the library does not take the option ${JSON.stringify(key)}`, hint);
  }
  refuseOthers(options, [...keys.filter(isTaken), ...Object.keys(libraryOptions)]);
}

/** Reads options with the same table and the same messages as the command line. Throws UsageError. */
export function resolveOptions(options: RunOptions): ResolvedOptions {
  refuseUnknownRunOptions(options);
  const { requestsPerMinute, tokensPerMinute } = options;
  if (options.resume && options.out === undefined) {
    throw new UsageError('--resume needs --out: without it, no run leaves anything behind');
  }
  const given = {
    ...options,
    requestsPerMinute: listRates(requestsPerMinute),
    tokensPerMinute: listRates(tokensPerMinute),
  };
  return resolveCheckOptions(given, getEnvironment(options));
}

/** Writes rates as the command line takes them: `60`, `openai=60`. */
function listRates(given: RateOption = {}): string[] {
  if (typeof given === 'number') return [String(given)];
  return Object.entries(given).map(([target, perMinute]) => `${target}=${perMinute}`);
}
