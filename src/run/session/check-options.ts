import { existsSync } from 'node:fs';
import { extname, relative, resolve } from 'node:path';
import { parsePositiveDuration, parseWholeNumber } from '../../base/amounts.js';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest.js';
import { slugify } from '../../base/text.js';
import { builtinAgents } from '../../config/agent-kinds.js';
import { findProvider, providerNames } from '../../config/models.js';
import type { AgentReference } from '../../config/schemas/eval-schema.js';
import type { RunRecord } from '../../journal/run-events.js';
import type { Rate } from '../../limits/rate-limiter.js';
import { defaultRunsRule } from '../../plan/enough-runs.js';
import { parseAgentReference } from '../../plan/matrix.js';
import type { Plan, PlanOptions } from '../../plan/plan.js';
import type { SuiteOptions } from '../../plan/suite.js';
import { getReporterDefinition } from '../../reporters/registry.js';
import {
  getBuiltinName,
  isJsonOnStdout,
  parseReporterRequests,
  type ReporterRequest,
  takesStdout,
} from '../reporters/reporter-requests.js';
import type { BudgetLimits } from '../schedule/stop-conditions.js';
import {
  type CheckOptionKey,
  checkOptionEntries,
  getFlag,
  type ParsedOptions,
  selectTravelling,
} from './check-option-table.js';
import {
  type GivenOptions,
  parseCheckOptions,
  requireLabels,
  requirePattern,
  requireShard,
} from './parse-options.js';

/**
 * The options of a check as the engine works with them: those of the table, and what was made of them for suite,
 * plan, limits, budget and reporters.
 */
export interface ResolvedOptions extends ParsedOptions {
  suite: SuiteOptions;
  /** How the plan is made. The plan itself is in `EvalToRun`. */
  plan: PlanOptions;
  /** Limits of the whole check. They decide when something runs, and not what. */
  limits: CheckLimits;
  /** What the whole check may spend. */
  budget: BudgetLimits;
  reporters: readonly ReporterRequest[];
  /** The results by which shards are cut. */
  shardDurations: readonly string[];
}

/** Limits that a caller sets for a whole check, besides those of the eval. */
export interface CheckLimits {
  concurrentAgents?: number | undefined;
  /** `option` is the rate as it was written, for messages. */
  rates: readonly (Rate & { option: string })[];
}

/** Reads the options of a check and what they name. Throws UsageError. */
export function resolveCheckOptions(
  given: GivenOptions,
  environment: NodeJS.ProcessEnv,
): ResolvedOptions {
  const parsed = parseCheckOptions(given, environment);
  const { concurrentAgents, maxCost, maxTokens, maxDuration } = parsed;
  refuseJournalAsResults(parsed.out);
  const plan = resolvePlanOptions(parsed);
  const reporters = parseReporterRequests(parsed.reporter ?? [], parsed.output);
  return {
    ...parsed,
    runsWidth: plan.autoRuns?.width,
    runsMax: plan.autoRuns?.most,
    suite: resolveSuiteOptions(parsed, environment),
    plan,
    limits: {
      concurrentAgents,
      rates: [
        ...parseRates('requestsPerMinute', parsed.requestsPerMinute),
        ...parseRates('tokensPerMinute', parsed.tokensPerMinute),
      ],
    },
    budget: defined({
      cost: maxCost,
      tokens: maxTokens,
      duration:
        maxDuration === undefined
          ? undefined
          : parsePositiveDuration('--max-duration', maxDuration, 'a budget'),
    }),
    reporters,
    // Also a reporter can ask for JSON on standard output: then problems are printed as data, too.
    output: reporters.some(isJsonOnStdout) ? 'json' : 'text',
    shardDurations: parsed.shardDurations ?? [],
  };
}

/**
 * The options that decide what is in a plan. Those that are sent to workers unchanged are copied by `selectTravelling`,
 * here and for the worker.
 */
function resolvePlanOptions(parsed: ParsedOptions): PlanOptions {
  const { run, labelSelector, runs, runsWidth, runsMax, shard } = parsed;
  return {
    ...selectTravelling(parsed),
    run: run === undefined ? undefined : requirePattern('--run', run),
    labels: labelSelector ? requireLabels('--label-selector', labelSelector) : undefined,
    runs: runs === 'auto' ? undefined : runs,
    autoRuns:
      runs === 'auto'
        ? { width: runsWidth ?? defaultRunsRule.width, most: runsMax ?? defaultRunsRule.most }
        : undefined,
    shard: shard === undefined ? undefined : requireShard(shard, {}),
  };
}

/** The options that decide who does the tasks, and with what. */
function resolveSuiteOptions(
  { agent, model, mcpConfigFile, prices }: ParsedOptions,
  environment: NodeJS.ProcessEnv,
): SuiteOptions {
  return {
    environment,
    agents: agent?.map((written) => ({ written, value: resolveAgent(written) })),
    models: model,
    mcpConfigFiles: mcpConfigFile?.map((written) => ({ written, value: resolve(written) })),
    pricesFile: prices === undefined ? undefined : resolve(prices),
  };
}

/** The agent that an option names: a builtin type, with or without `builtin.`, or an Agent file. */
export function resolveAgent(
  text: string,
  option = '--agent',
  names: readonly string[] = builtinAgents,
): AgentReference {
  const reference = parseAgentReference(text, (path) => resolve(path));
  if (reference.path === undefined || existsSync(reference.path)) return reference;
  const hint = didYouMean(text, names) ?? `builtin agents: ${names.join(', ')}`;
  throw new UsageError(`${option}: ${text} is neither a builtin agent nor a file`, hint);
}

/** The journal is beside the results, with the ending .jsonl: they must not be the same file. */
function refuseJournalAsResults(path: string | undefined): void {
  if (path === undefined || extname(path).toLowerCase() !== '.jsonl') return;
  const hint = 'name the results file, such as results.json; the journal gets the ending .jsonl';
  throw new UsageError('--out: a results file cannot end in .jsonl', hint);
}

const maxPerMinute = 1_000_000_000;

function parseRates(
  key: 'requestsPerMinute' | 'tokensPerMinute',
  texts: readonly string[] = [],
): CheckLimits['rates'] {
  const flag = getFlag(key);
  const seen = new Set<string>();
  return texts.map((text) => {
    const split = text.lastIndexOf('=');
    const target = split < 0 ? undefined : text.slice(0, split).trim();
    const perMinute = parseWholeNumber(flag, text.slice(split + 1).trim(), maxPerMinute);
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

/** Stands in paths for the name of an eval. */
const placeholder = '{eval}';

/** The options of a check as they are for one of its evals: `{eval}` in paths is replaced by its name. */
export function fillPlaceholders(options: ResolvedOptions, evalName: string): ResolvedOptions {
  const { out, rerunFailed, reporters, shardDurations } = options;
  const name = slugify(evalName);
  const fill = (path: string) => path.replaceAll(placeholder, name);
  // Only below the current directory: its own path may contain the placeholder.
  const fillBelow = (path: string) => resolve(fill(relative('', path)));
  return {
    ...options,
    out: out && fill(out),
    rerunFailed: rerunFailed && fill(rerunFailed),
    reporters: reporters.map((request) => ({
      ...request,
      file: request.file && fillBelow(request.file),
    })),
    shardDurations: shardDurations.map(fill),
  };
}

/** Several evals cannot share a file, nor a report on standard output. Throws UsageError. */
export function refuseSharedPaths(options: ResolvedOptions): void {
  const { out, rerunFailed, reporters, shardDurations } = options;
  const paths = [
    ...(out === undefined ? [] : [{ option: '--out', path: out }]),
    ...(rerunFailed === undefined ? [] : [{ option: '--rerun-failed', path: rerunFailed }]),
    ...shardDurations.map((path) => ({ option: '--shard-durations', path })),
    ...reporters.flatMap(({ shown, file }) =>
      file === undefined ? [] : [{ option: '--reporter', path: shown }],
    ),
  ];
  for (const { option, path } of paths) {
    if (path.includes(placeholder)) continue;
    const message = `${option} ${path}: with several evals, each needs a file of its own`;
    throw new UsageError(
      message,
      `write ${placeholder} in the path, where the name of the eval goes`,
    );
  }
  for (const request of reporters) {
    const builtin = getBuiltinName(request);
    const { isSingleDocument, extension } = builtin ? getReporterDefinition(builtin) : {};
    if (!isSingleDocument || !takesStdout(request)) continue;
    const message = `--reporter ${builtin}: with several evals, standard output would hold several reports`;
    throw new UsageError(message, `give each a file: --reporter '${builtin}={eval}.${extension}'`);
  }
}

type RecordedOptions = RunRecord['options'];

/** The options that decide what runs, by their names on the command line: `--resume` has to be given the same. */
export function recordOptions(
  options: ResolvedOptions,
  { cut }: Pick<Plan, 'cut'>,
): RecordedOptions {
  const recordable: Partial<Record<CheckOptionKey, unknown>> = {
    ...options,
    // What the files say, and not where they are: shards of one cut may find them at other places.
    shardDurations: cut?.digest,
    mcpConfigFile: options.mcpConfigFile?.map((path) => resolve(path)),
  };
  const recorded: Record<string, RecordedOptions[string]> = {};
  for (const [key, { decidesWhatRuns }] of checkOptionEntries) {
    const value = recordable[key];
    if (!decidesWhatRuns || value === undefined || value === false) continue;
    recorded[getFlag(key).slice(2)] = unwrapSingle(value as RecordedOptions[string]);
  }
  return recorded;
}

function unwrapSingle(value: RecordedOptions[string]): RecordedOptions[string] {
  const list: readonly string[] = Array.isArray(value) ? value : [];
  return list.length === 1 && list[0] !== undefined ? list[0] : value;
}

/** The flags of options that differ between two records. */
export function findChangedOptions(before: RecordedOptions, now: RecordedOptions): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(now[name]);
  return [...names].filter(isChanged).map((name) => `--${name}`);
}
