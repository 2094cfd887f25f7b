import { slugify } from '../../base/text.js';
import { exampleModels } from '../../config/models.js';
import { reporterNames } from '../../reporters/registry.js';

/** An option as people write it, and as the reference describes it. */
export interface OptionSpec {
  /** In commander's notation: `-r, --run <regex>`. */
  flags: string;
  description: string;
  /** Further sentences for the reference page; help has to fit a screen. */
  details?: string;
  choices?: readonly string[];
  /** Values that a shell offers, beside others. */
  suggestions?: readonly string[];
  default?: string;
  /** Heading that help puts it under, where a command has many. */
  group?: string;
  /** Can be given several times; its value is a list then. */
  repeatable?: boolean;
  /**
   * Says what is wrong with a value while the command line is read. For an optional value, which
   * could swallow the argument behind it.
   */
  refuse?(value: string): string | undefined;
}

/** The values that an option of each kind has: plain data, which can be written as JSON. */
export interface OptionValues {
  flag: boolean;
  text: string;
  /** One text or several; each must not be empty. */
  texts: readonly string[];
  /** The source of a pattern. */
  pattern: string;
  /** A label selector, `key=value,...`. */
  labels: string;
  /** `i/n`. */
  shard: string;
  /** A whole number from 1 to `most`. */
  count: number;
  /** A number of runs, or `auto`. */
  runs: number | 'auto';
  /** The most runs that `auto` may decide on. */
  autoRuns: number;
  /** A number between 0 and 1. */
  share: number;
  /** A duration as text, such as `1m30s`. */
  duration: string;
  dollars: number;
  tokens: number;
  /** One of `choices`. */
  choice: string;
}

/** An option of a check, with every fact about it. */
export interface OptionDefinition extends OptionSpec {
  kind: keyof OptionValues;
  /** Heading of help. */
  group: 'What runs' | 'With what' | 'How' | 'Budget' | 'Results' | 'Over machines' | 'Options';
  /** The largest value of a `count`. */
  most?: number;
  /** What a `count` counts, for messages. */
  unit?: string;
  /** The value of a flag that takes a value or none, where it is given without one. */
  whenBare?: string;
  /** It decides what runs: the journal records it, and `--resume` has to be given the same. */
  decidesWhatRuns?: true;
  /**
   * Workers need it. `as-given`: it travels to them as it is; `resolved`: in the form in which suite and plan
   * take it, with paths as they are in the bundle.
   */
  travels?: 'as-given' | 'resolved';
  /** It means nothing without this option. */
  needs?: 'queue';
}

/** Names for shell completion; a test compares them with the agents that exist. */
export const agentTypes = ['claude-code', 'openai-agent', 'llm-agent'];

/** The most task runs that can go on at once. */
export const maxParallel = 256;

/** The environment variable with the queue's password. A password on the command line is there for every user of the machine to see. */
export const queuePasswordVariable = 'PROCTOR_QUEUE_PASSWORD';
/** Explains the value of `--queue`. */
export const queueAddressDetails = `Such as \`redis://host:6379/0\`, or \`rediss://user@host:6379\` with TLS. If it names no password, that of the variable \`${queuePasswordVariable}\` counts, which keeps it out of the list of processes.`;

/** What counts where the options of a queue are not given. */
export const queueDefaults = { prefix: 'proctor', lifetime: '168h', bundleMebibytes: 64 };

/** The results file of an eval where `--out` is not given; `kind` says what the run was. */
export function nameResultsFile(evalName: string, kind = 'out'): string {
  return `proctor-${slugify(evalName)}-${kind}.json`;
}

const describeRateTargets = (number: number) =>
  `Each model has it for itself; \`openai=${number}\` is for one provider, \`openai:${exampleModels.large}=${number}\` for one model. Wins over \`limits.rates\` of the eval. Can be given several times.`;

/**
 * Every option of a check, by its key, which is its flag in camel case. Flags, their parsing, help and the reference,
 * the type `CheckOptions`, the journal's record, what `--resume` compares and what travels to workers are derived
 * from it. Only data is in here: every start of the command line loads it.
 */
export const checkOptionTable = {
  run: {
    flags: '-r, --run <regex>',
    kind: 'pattern',
    group: 'What runs',
    description: 'only tasks with a matching name',
    details: 'A pattern in RE2 syntax, unanchored.',
    decidesWhatRuns: true,
  },
  labelSelector: {
    flags: '-l, --label-selector <k=v,...>',
    kind: 'labels',
    group: 'What runs',
    description: 'only tasks with these labels',
    details: 'Of several values of one key, one must match; of several keys, all.',
    decidesWhatRuns: true,
  },
  runs: {
    flags: '-n, --runs <n>',
    kind: 'runs',
    group: 'What runs',
    suggestions: ['auto'],
    description: 'runs of every task, or auto',
    details:
      'With `auto`, each task runs until the 95% interval of its pass rate is narrow enough (`--runs-width`), at least 3 times and at most `--runs-max` times.',
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  runsWidth: {
    flags: '--runs-width <w>',
    kind: 'share',
    group: 'What runs',
    description: 'with auto: how wide it may be, or 0.4',
    details: 'From the lower to the upper end of the interval: 0.4 is 40 percentage points.',
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  runsMax: {
    flags: '--runs-max <n>',
    kind: 'autoRuns',
    group: 'What runs',
    description: 'with auto: most runs of a task, or 20',
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  shard: {
    flags: '--shard <i/n>',
    kind: 'shard',
    group: 'What runs',
    description: 'only one part of the plan, such as 1/3',
    details:
      'With `n` alone, which one it is comes from `JOB_COMPLETION_INDEX`, as Indexed Jobs of Kubernetes set it.',
    decidesWhatRuns: true,
  },
  shardDurations: {
    flags: '--shard-durations <results...>',
    kind: 'texts',
    group: 'What runs',
    description: 'balance shards by earlier durations',
    details:
      'By how long tasks took in these results or journals. Every shard has to be given the same. Write it behind the eval. With several evals, `{eval}` in a path stands for the name of each.',
    decidesWhatRuns: true,
  },
  rerunFailed: {
    flags: '--rerun-failed <results>',
    kind: 'text',
    group: 'What runs',
    description: 'only task runs that did not pass then',
    details:
      'Takes a results file of the same eval. With several evals, `{eval}` in its path stands for the name of each.',
    decidesWhatRuns: true,
  },
  agent: {
    flags: '--agent <agent>',
    kind: 'texts',
    group: 'With what',
    suggestions: agentTypes,
    description: 'builtin type or file to use; or several',
    details:
      "A builtin type such as `claude-code`, or the path of an agent file, in place of the eval's. Several make a matrix, as do several models and MCP configs: each combination does every task run.",
    repeatable: true,
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  model: {
    flags: '--model <model>',
    kind: 'texts',
    group: 'With what',
    description: 'model to use, or several',
    repeatable: true,
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  mcpConfigFile: {
    flags: '--mcp-config-file <file>',
    kind: 'texts',
    group: 'With what',
    description: 'MCP config to use, or several',
    details: "Wins over the eval's own and over MCP_* variables.",
    repeatable: true,
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  control: {
    flags: '--control',
    kind: 'flag',
    group: 'With what',
    description: 'no agent: name tasks that check nothing',
    details:
      'Every task runs once without an agent. One that passes all the same is named, and the exit code is 1.',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  parallel: {
    flags: '-p, --parallel <n>',
    kind: 'count',
    most: maxParallel,
    group: 'How',
    description: 'task runs at once',
    details: 'Only tasks with `parallel: true` run beside others.',
    default: '4',
  },
  bail: {
    flags: '--bail [n]',
    kind: 'count',
    most: 1_000_000,
    whenBare: '1',
    group: 'How',
    description: 'start nothing after n failures, or 1',
    details: 'What runs already comes to its end. Write it behind the eval, or as `--bail=1`.',
    refuse: (value) =>
      /^\d+$/.test(value) ? undefined : 'Expected a number: write --bail=1, or the eval first.',
  },
  taskTimeout: {
    flags: '--task-timeout <duration>',
    kind: 'duration',
    group: 'How',
    description: 'limit of every task',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  defaultTaskTimeout: {
    flags: '--default-task-timeout <duration>',
    kind: 'duration',
    group: 'How',
    description: 'limit of tasks that set none',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  cleanupTimeout: {
    flags: '--cleanup-timeout <duration>',
    kind: 'duration',
    group: 'How',
    description: 'limit of every cleanup',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  defaultCleanupTimeout: {
    flags: '--default-cleanup-timeout <duration>',
    kind: 'duration',
    group: 'How',
    description: 'limit of cleanups that set none',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  concurrentAgents: {
    flags: '--concurrent-agents <n>',
    kind: 'count',
    most: 100_000,
    group: 'How',
    description: 'agents at work at once',
    details:
      'The other task runs wait before their agents begin, which counts against no limit of theirs. Wins over `limits.concurrentAgents` of the eval.',
  },
  requestsPerMinute: {
    flags: '--requests-per-minute <n>',
    kind: 'texts',
    group: 'How',
    description: 'most requests to a model',
    details: describeRateTargets(60),
    repeatable: true,
  },
  tokensPerMinute: {
    flags: '--tokens-per-minute <n>',
    kind: 'texts',
    group: 'How',
    description: 'most tokens of a model',
    details: `Of requests and answers together. ${describeRateTargets(200_000)}`,
    repeatable: true,
  },
  maxCost: {
    flags: '--max-cost <dollars>',
    kind: 'dollars',
    group: 'Budget',
    description: 'start nothing when so much is spent',
    details:
      'By agents and judge, as they report it or by their tokens and the price of the model. What runs already comes to its end; the rest is not run, the exit code is 1, and `--resume` goes on. The same holds for the other budgets.',
  },
  maxTokens: {
    flags: '--max-tokens <n>',
    kind: 'tokens',
    group: 'Budget',
    description: 'the same for tokens, such as 500k or 2M',
    details: 'Input and output of agents and judge.',
  },
  maxDuration: {
    flags: '--max-duration <duration>',
    kind: 'duration',
    group: 'Budget',
    description: 'the same for time, such as 30m',
    details: 'With `--resume`, the time that the check lay still does not count.',
  },
  prices: {
    flags: '--prices <file>',
    kind: 'text',
    group: 'Budget',
    description: 'what models cost (YAML or JSON)',
    details:
      "Counts before the prices that Proctor knows, and in place of the eval's own file. `proctor schema prices` describes it.",
    travels: 'resolved',
  },
  output: {
    flags: '-o, --output <format>',
    kind: 'choice',
    group: 'Results',
    description: 'how to print',
    choices: ['text', 'json'],
    default: 'text',
  },
  reporter: {
    flags: '--reporter <name[=file]>',
    kind: 'texts',
    group: 'Results',
    suggestions: reporterNames,
    description: 'also report as ...; several at once',
    details:
      '`text`, `json`, `junit`, `markdown`, `github`, `html` or `tap`, or the path of a module. Without a file it goes to standard output, `html` beside the results. `{eval}` in a path stands for the name of the eval, which several evals need. Can be given several times.',
    repeatable: true,
  },
  out: {
    flags: '--out <file>',
    kind: 'text',
    group: 'Results',
    description: 'results file',
    details:
      'Without it, `proctor-<eval name>-out.json` in the current directory. The journal is beside it, with the ending `.jsonl`. `{eval}` in the path stands for the name of the eval, which several evals need.',
  },
  resume: {
    flags: '--resume',
    kind: 'flag',
    group: 'Results',
    description: 'go on with what a stopped run left',
    details: 'Refused if files of the suite changed since; `--force` overrides.',
  },
  force: {
    flags: '--force',
    kind: 'flag',
    group: 'Results',
    description: 'resume despite changes, or overwrite',
    details:
      'With `--resume`: although files of the suite changed. Without: the journal of an unfinished run is overwritten.',
  },
  keepWorkdir: {
    flags: '--keep-workdir <when>',
    kind: 'choice',
    group: 'Results',
    description: 'keep working directories',
    choices: ['failed', 'always'],
    details: 'Of task runs that did not pass, or of all. Else they are removed.',
  },
  queue: {
    flags: '--queue <url>',
    kind: 'text',
    group: 'Over machines',
    description: 'let workers do it, over Redis or Valkey',
    details: `Task runs are handed to whatever \`proctor worker\` is there; this process shows how they go and keeps the journal. ${queueAddressDetails}`,
  },
  queuePrefix: {
    flags: '--queue-prefix <text>',
    kind: 'text',
    group: 'Over machines',
    description: 'how its keys begin',
    details: `Workers and checks with another prefix know nothing of each other. Without it, \`${queueDefaults.prefix}\`.`,
    needs: 'queue',
  },
  detach: {
    flags: '--detach',
    kind: 'flag',
    group: 'Over machines',
    description: 'end when workers have it',
    details:
      'Needs `--queue`. Workers go on, and what they report waits in the queue; `--resume` comes back to it. The command for that is printed.',
    needs: 'queue',
  },
  queueTtl: {
    flags: '--queue-ttl <duration>',
    kind: 'text',
    group: 'Over machines',
    description: 'how long a run may stay there',
    details: `Then everything of it expires, whether it is done or not. Without it, ${queueDefaults.lifetime}.`,
    needs: 'queue',
  },
  bundleRoot: {
    flags: '--bundle-root <folder>',
    kind: 'text',
    group: 'Over machines',
    description: 'what travels, if not the eval’s folder',
    details: 'A folder that has the eval and every file it uses. Everything below it travels.',
    needs: 'queue',
  },
  bundleMaxSize: {
    flags: '--bundle-max-size <MiB>',
    kind: 'count',
    most: 1024,
    unit: 'MiB',
    group: 'Over machines',
    description: 'most that may travel',
    details: `Without it, ${queueDefaults.bundleMebibytes}.`,
    needs: 'queue',
  },
  strict: {
    flags: '--strict',
    kind: 'flag',
    group: 'Options',
    description: 'treat warnings as errors',
    travels: 'as-given',
  },
} as const satisfies Readonly<Record<string, OptionDefinition>>;

type Table = typeof checkOptionTable;
export type CheckOptionKey = keyof Table;

type ValueOf<Definition extends OptionDefinition> = Definition extends {
  choices: readonly (infer Choice)[];
}
  ? Choice
  : OptionValues[Definition['kind']];

/**
 * What a check is asked to do, by the names of the command line in camel case: plain data, which can be written as
 * JSON. Paths are as they were given.
 */
export type CheckOptions = {
  readonly [Key in CheckOptionKey]?: ValueOf<Table[Key]> | undefined;
};

/** The keys of options that have a value in any case. */
type SettledKey = {
  [Key in CheckOptionKey]: Table[Key] extends { kind: 'flag' } | { default: string } ? Key : never;
}[CheckOptionKey];

/** The options of a check after they were parsed: flags and options with a default have a value. */
export type ParsedOptions = Omit<CheckOptions, SettledKey> & {
  readonly [Key in SettledKey]: ValueOf<Table[Key]>;
};

type TravellingKey = {
  [Key in CheckOptionKey]: Table[Key] extends { travels: 'as-given' } ? Key : never;
}[CheckOptionKey];

/** The options that travel to workers as they were given. */
export type TravellingOptions = Pick<ParsedOptions, TravellingKey>;

/** The options in the order of the table. */
export const checkOptionEntries = Object.entries(checkOptionTable) as readonly [
  CheckOptionKey,
  OptionDefinition,
][];

/** The flag of an option as messages name it: `--task-timeout`. */
export function getFlag(key: CheckOptionKey): string {
  return getLongFlag(checkOptionTable[key]);
}

export function getLongFlag({ flags }: Pick<OptionSpec, 'flags'>): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** Selects the options that travel to workers as they were given. */
export function selectTravelling(options: ParsedOptions): TravellingOptions {
  const travelling = checkOptionEntries.filter(([, { travels }]) => travels === 'as-given');
  return Object.fromEntries(travelling.map(([key]) => [key, options[key]])) as TravellingOptions;
}
