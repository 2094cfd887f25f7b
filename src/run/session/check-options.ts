import { relative, resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { slugify } from '../../base/text.js';
import type { Evaluation } from '../../journal/run-events.js';
import type { Rate } from '../../limits/rate-limiter.js';
import { describeSelector } from '../../plan/labels.js';
import type { Plan, PlanOptions } from '../../plan/plan.js';
import type { SuiteOptions } from '../../plan/suite.js';
import { getReporterDefinition } from '../../reporters/registry.js';
import {
  getBuiltinName,
  type ReporterRequest,
  takesStdout,
} from '../reporters/reporter-requests.js';
import type { BudgetLimits } from '../schedule/stop-conditions.js';

/** What a check is asked to do. Paths are as they were given. */
export interface CheckOptions {
  plan: PlanOptions;
  suite: SuiteOptions;
  /** How many parallel task runs go on at once. */
  parallel: number;
  /** Limits of the whole check. They decide when something runs, and not what. */
  limits: CheckLimits;
  reporters: readonly ReporterRequest[];
  /** The results file. Without it, the eval's name decides. */
  out?: string;
  resume: boolean;
  force: boolean;
  /** After so many task runs that did not pass, nothing more is started. */
  bail?: number;
  /** What the whole check may spend. */
  budget: BudgetLimits;
  keepWorkdir?: 'failed' | 'always';
  /** Task runs are done by workers elsewhere; `isDetached`: the check ends when they have them. */
  workers?: { isDetached: boolean };
  /** The results by which shards are cut. */
  shardDurations: readonly string[];
  /** The results whose failures run again. */
  rerunFailed?: string;
  control: boolean;
  /** Warnings count as errors. */
  strict: boolean;
}

/** Limits that a caller sets for a whole check, besides those of the eval. */
export interface CheckLimits {
  concurrentAgents?: number;
  /** `option` is the rate as it was written, for messages. */
  rates: readonly (Rate & { option: string })[];
}

/** Stands in paths for the name of an eval. */
const placeholder = '{eval}';

/** The options of a check as they are for one of its evals: `{eval}` in paths is replaced by its name. */
export function fillPlaceholders<Options extends CheckOptions>(
  options: Options,
  evalName: string,
): Options {
  const { out, rerunFailed, reporters, shardDurations } = options;
  const name = slugify(evalName);
  const fill = (path: string) => path.replaceAll(placeholder, name);
  // Only below the current directory: its own path may contain the placeholder.
  const fillBelow = (path: string) => resolve(fill(relative('', path)));
  return {
    ...options,
    ...(out !== undefined && { out: fill(out) }),
    ...(rerunFailed !== undefined && { rerunFailed: fill(rerunFailed) }),
    reporters: reporters.map(({ file, ...request }) => ({
      ...request,
      ...(file !== undefined && { file: fillBelow(file) }),
    })),
    shardDurations: shardDurations.map(fill),
  };
}

/** Several evals cannot share a file, nor a report on standard output. Throws UsageError. */
export function refuseSharedPaths(options: CheckOptions): void {
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

type RecordedOptions = Evaluation['options'];

/** The options that decide what runs, by their names: `--resume` has to be given the same. */
export function recordOptions(options: CheckOptions, { cut }: Pick<Plan, 'cut'>): RecordedOptions {
  const { plan, suite, control, rerunFailed } = options;
  const all: Record<string, RecordedOptions[string] | undefined> = {
    run: plan.run?.source,
    'label-selector': plan.labels && describeSelector(plan.labels),
    runs: plan.autoRuns ? 'auto' : plan.runs,
    'runs-width': plan.autoRuns?.width,
    'runs-max': plan.autoRuns?.most,
    shard: plan.shard && `${plan.shard.index}/${plan.shard.of}`,
    // What the files say, and not where they are: shards of one cut may find them at other places.
    'shard-durations': cut?.digest,
    agent: unwrapSingle(suite.agents?.map(({ written }) => written)),
    model: unwrapSingle(suite.models),
    'mcp-config-file': unwrapSingle(suite.mcpConfigFiles?.map(({ value }) => value)),
    'task-timeout': plan.taskTimeout,
    'default-task-timeout': plan.defaultTaskTimeout,
    'cleanup-timeout': plan.cleanupTimeout,
    'default-cleanup-timeout': plan.defaultCleanupTimeout,
    control: control || undefined,
    'rerun-failed': rerunFailed,
  };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as RecordedOptions;
}

function unwrapSingle(
  values: readonly string[] | undefined,
): string | readonly string[] | undefined {
  return values?.length === 1 ? values[0] : values;
}

/** The flags of options that differ between two records. */
export function findChangedOptions(before: RecordedOptions, now: RecordedOptions): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(now[name]);
  return [...names].filter(isChanged).map((name) => `--${name}`);
}
