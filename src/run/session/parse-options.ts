import {
  parseDollars,
  parsePositiveDuration,
  parseTokens,
  parseWholeNumber,
} from '../../base/amounts.js';
import { UsageError } from '../../base/errors.js';
import { compilePattern, type Pattern } from '../../config/patterns/pattern.js';
import { maxRuns } from '../../config/schemas/fields.js';
import { defaultRunsRule, fewestRuns } from '../../plan/enough-runs.js';
import { describeSelector, type LabelSelector, parseLabelSelector } from '../../plan/labels.js';
import { parseShard, type Shard } from '../../plan/shard.js';
import {
  type CheckOptionKey,
  type CheckOptions,
  checkOptionEntries,
  getFlag,
  getLongFlag,
  type OptionDefinition,
  type OptionValues,
  type ParsedOptions,
} from './check-option-table.js';

/** Options as a caller gives them: of the right types already, or as texts of a command line. */
export type GivenOptions = CheckOptions | Readonly<Record<string, unknown>>;

/**
 * Reads the options of a check, which may be texts of a command line, and refuses what does not go together. Looks
 * at no file. Throws UsageError.
 */
export function parseCheckOptions(
  given: GivenOptions,
  environment: NodeJS.ProcessEnv = {},
): ParsedOptions {
  const values = given as Readonly<Record<string, unknown>>;
  refuseContradictions(values);
  const parsed: Record<string, unknown> = {};
  for (const [key, definition] of checkOptionEntries) {
    parsed[key] = parseOption(definition, values[key], environment);
  }
  const options = parsed as unknown as ParsedOptions;
  refuseLonelyOptions(options);
  return options;
}

function parseOption(
  definition: OptionDefinition,
  given: unknown,
  environment: NodeJS.ProcessEnv,
): unknown {
  const { kind, whenBare } = definition;
  const flag = getLongFlag(definition);
  if (kind === 'flag') return parseFlag(flag, given);
  if (kind === 'texts') return parseTexts(flag, given);
  const value = given === true ? whenBare : (given ?? definition.default);
  if (value === undefined || value === false) return undefined;
  return parsers[kind](flag, String(value), { definition, environment });
}

function parseFlag(flag: string, given: unknown = false): boolean {
  if (typeof given === 'boolean') return given;
  throw new UsageError(`${flag}: expected true or false, found ${JSON.stringify(given)}`);
}

function parseTexts(flag: string, given: unknown): readonly string[] | undefined {
  const list = Array.isArray(given)
    ? given.map(String)
    : given === undefined
      ? []
      : [String(given)];
  return list.length === 0 ? undefined : list.map((text) => requireText(flag, text));
}

function requireText(flag: string, text: string): string {
  if (text.trim() === '') throw new UsageError(`${flag}: expected a value, found nothing`);
  return text;
}

interface ParseContext {
  definition: OptionDefinition;
  environment: NodeJS.ProcessEnv;
}

type Parser<Value> = (flag: string, text: string, context: ParseContext) => Value;

const parsers: {
  [Kind in Exclude<keyof OptionValues, 'flag' | 'texts'>]: Parser<OptionValues[Kind]>;
} = {
  text: requireText,
  pattern: (flag, text) => requirePattern(flag, text).source,
  labels: (flag, text) => describeSelector(requireLabels(flag, text)),
  shard(_, text, { environment }) {
    const { index, of } = requireShard(text, environment);
    return `${index}/${of}`;
  },
  count: (flag, text, { definition: { most = Number.MAX_SAFE_INTEGER, unit } }) =>
    parseWholeNumber(flag, text, most, unit === undefined ? {} : { unit }),
  runs: (flag, text) =>
    text === 'auto' ? text : parseWholeNumber(flag, text, maxRuns, { or: ', or auto' }),
  autoRuns: (flag, text) => parseWholeNumber(flag, text, maxRuns, { least: fewestRuns }),
  share(flag, text) {
    const share = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : 0;
    if (share > 0 && share < 1) return share;
    const message = `${flag}: expected a number between 0 and 1, found ${JSON.stringify(text)}`;
    throw new UsageError(message, 'write 0.4 for an interval such as 55% to 95%');
  },
  duration(flag, text, { definition: { group } }) {
    parsePositiveDuration(flag, text, group === 'Budget' ? 'a budget' : 'a limit');
    return text;
  },
  dollars: (flag, text) => requirePositive(flag, text, parseDollars),
  tokens: (flag, text) => requirePositive(flag, text, parseTokens),
  choice(flag, text, { definition: { choices = [] } }) {
    if (choices.includes(text)) return text;
    const expected = `expected ${choices.join(' or ')}`;
    throw new UsageError(`${flag}: ${expected}, found ${JSON.stringify(text)}`);
  },
};

/** The pattern of `--run`. Throws UsageError. */
export function requirePattern(flag: string, text: string): Pattern {
  const result = compilePattern(text);
  if (result.ok) return result.pattern;
  const marker = `${text}\n  ${' '.repeat(result.offset)}^`;
  throw new UsageError(`${flag}: invalid pattern: ${result.reason}`, marker);
}

/** The labels of `--label-selector`. Throws UsageError. */
export function requireLabels(flag: string, text: string): LabelSelector {
  const labels = parseLabelSelector(text);
  if (typeof labels === 'string') throw new UsageError(`${flag}: ${labels}`);
  return labels;
}

/** Set in every pod of an Indexed Job of Kubernetes; counts from 0. */
const indexVariable = 'JOB_COMPLETION_INDEX';

/** Reads `--shard I/N`, or `N` where the environment says which one it is. Throws UsageError. */
export function requireShard(text: string, environment: NodeJS.ProcessEnv): Shard {
  const shard = parseShard(/^\d{1,6}$/.test(text) ? readShardIndex(text, environment) : text);
  if (typeof shard === 'string') throw new UsageError(`--shard: ${shard}`);
  return shard;
}

function readShardIndex(count: string, environment: NodeJS.ProcessEnv): string {
  // What is wrong with the count is not the variable's fault.
  const last = parseShard(`${count}/${count}`);
  if (typeof last === 'string') throw new UsageError(`--shard: ${last}`);
  const { [indexVariable]: index = '' } = environment;
  if (index === '') {
    const hint = `write which one, such as --shard 1/${count}; Kubernetes sets the variable in Jobs with completionMode: Indexed`;
    throw new UsageError(`--shard ${count}: ${indexVariable} is not set`, hint);
  }
  const number = /^\d{1,6}$/.test(index) ? Number(index) : Number.NaN;
  if (number < last.of) return `${number + 1}/${count}`;
  const expected = `expected a whole number from 0 to ${last.of - 1}`;
  throw new UsageError(
    `--shard ${count}: ${indexVariable}: ${expected}, found ${JSON.stringify(index)}`,
    Number.isNaN(number) ? undefined : 'are the completions of the Job as many as the shards?',
  );
}

/** With a budget of nothing, nothing would run. */
function requirePositive(
  flag: string,
  text: string,
  parseAmount: (flag: string, text: string) => number,
): number {
  const amount = parseAmount(flag, text);
  if (amount > 0) return amount;
  throw new UsageError(`${flag}: a budget is more than zero, found ${JSON.stringify(text)}`);
}

/** Pairs that contradict each other, with the reason why. */
const contradictions: readonly [one: CheckOptionKey, other: CheckOptionKey, reason: string][] = [
  ['resume', 'rerunFailed', 'one continues a run, the other starts a new one from its failures'],
  ['control', 'resume', 'a run without an agent is quick: start it again'],
  ['control', 'rerunFailed', 'a run without an agent looks at tasks, not at earlier results'],
  ['control', 'runs', 'every task runs once without an agent'],
  ['control', 'agent', 'a control run has no agent'],
  ['control', 'model', 'a control run has no agent, so no model'],
  ['control', 'bail', 'a task that fails without an agent is a good one'],
  ['control', 'concurrentAgents', 'a control run has no agent'],
  ['queue', 'keepWorkdir', 'working directories are on the machines of the workers'],
];

function refuseContradictions(given: Readonly<Record<string, unknown>>): void {
  for (const [one, other, reason] of contradictions) {
    if (isGiven(given[one]) && isGiven(given[other])) throw contradictionError(one, other, reason);
  }
}

function contradictionError(one: CheckOptionKey, other: CheckOptionKey, reason: string) {
  return new UsageError(`${getFlag(one)} and ${getFlag(other)} do not go together: ${reason}`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** Refuses options that mean nothing, or contradict each other, because of the values of others. */
function refuseLonelyOptions(options: ParsedOptions): void {
  const { runs, runsWidth, runsMax, rerunFailed, queue, detach, reporter, output } = options;
  for (const [key, { needs }] of checkOptionEntries) {
    if (needs === undefined || !isGiven(options[key]) || isGiven(options[needs])) continue;
    throw new UsageError(`${getFlag(key)} needs --${needs}: without it there are no workers`);
  }
  if (queue !== undefined && detach && (reporter !== undefined || output === 'json')) {
    const why = 'there are no results to report yet; give it with --resume';
    throw new UsageError(`--detach goes together with no --reporter and no -o json: ${why}`);
  }
  if (runs !== 'auto') {
    const alone = runsWidth !== undefined ? '--runs-width' : runsMax !== undefined && '--runs-max';
    if (!alone) return;
    const hint = 'add --runs auto, or leave it out';
    throw new UsageError(`${alone} goes with --runs auto alone`, hint);
  }
  // Which runs failed is known by their numbers; how many there are, auto decides anew.
  if (rerunFailed !== undefined) {
    const message =
      '--runs auto and --rerun-failed do not go together: what failed is run once again';
    const most = runsMax ?? defaultRunsRule.most;
    throw new UsageError(message, `say how many runs there were at most: --runs ${most}`);
  }
  // `--runs auto` needs this process to schedule further runs; `--detach` ends it.
  if (detach) {
    const why = 'this process decides which runs are needed';
    throw new UsageError(`--runs auto and --detach do not go together: ${why}`);
  }
}
