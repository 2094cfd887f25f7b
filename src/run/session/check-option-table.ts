import { slugify } from '../../base/text.js';
import { currentBuiltins } from '../../config/agent-kinds.js';
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
  group:
    | 'What to run'
    | 'Agents and servers'
    | 'How to run it'
    | 'Budget'
    | 'Results'
    | 'Distributed runs'
    | 'Options';
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

/** The most task runs that can go on at once. */
export const maxParallel = 256;

/** The environment variable with the queue's password. A password on the command line is there for every user of the machine to see. */
export const queuePasswordVariable = 'PROCTOR_QUEUE_PASSWORD';
/** Explains the value of `--queue`. */
export const queueAddressDetails = `Such as \`redis://host:6379/0\`, or \`rediss://user@host:6379\` with TLS. Set the password in \`${queuePasswordVariable}\`, which keeps it out of the process list; one in the URL overrides it.`;

/** What counts where the options of a queue are not given. */
export const queueDefaults = { prefix: 'proctor', lifetime: '168h', bundleMebibytes: 64 };

/** The results file of an eval where `--out` is not given; `kind` says what the run was. */
export function nameResultsFile(evalName: string, kind = 'out'): string {
  return `proctor-${slugify(evalName)}-${kind}.json`;
}

const describeRateTargets = (number: number) =>
  `The limit applies to each model separately; \`openai=${number}\` sets it for one provider, \`openai:${exampleModels.large}=${number}\` for one model. Overrides \`limits.rates\` of the eval. Can be repeated.`;

/**
 * Every option of a check, by its key, which is its flag in camel case. Flags, their parsing, help and the reference,
 * the type `CheckOptions`, the journal's record, what `--resume` compares and what travels to workers are derived
 * from it. Only data is in here: every start of the command line loads it.
 */
export const checkOptionTable = {
  run: {
    flags: '-r, --run <regex>',
    kind: 'pattern',
    group: 'What to run',
    description: 'only tasks with a matching name',
    details: 'A pattern in RE2 syntax, unanchored.',
    decidesWhatRuns: true,
  },
  labelSelector: {
    flags: '-l, --label-selector <k=v,...>',
    kind: 'labels',
    group: 'What to run',
    description: 'only tasks with these labels',
    details: 'A task needs one of the values of each key.',
    decidesWhatRuns: true,
  },
  runs: {
    flags: '-n, --runs <n>',
    kind: 'runs',
    group: 'What to run',
    suggestions: ['auto'],
    description: 'runs of each task, or auto',
    details:
      'With `auto`, each task runs until the 95% interval of its pass rate is narrow enough (`--runs-width`), at least 3 times and at most `--runs-max` times.',
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  runsWidth: {
    flags: '--runs-width <w>',
    kind: 'share',
    group: 'What to run',
    description: 'with auto: target width of the 95% interval (default: 0.4)',
    details: 'Measured from the lower to the upper bound: 0.4 is 40 percentage points.',
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  runsMax: {
    flags: '--runs-max <n>',
    kind: 'autoRuns',
    group: 'What to run',
    description: 'with auto: maximum runs (default: 20)',
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  shard: {
    flags: '--shard <i/n>',
    kind: 'shard',
    group: 'What to run',
    description: 'only this part of the plan, such as 1/3',
    details:
      'With `n` alone, `JOB_COMPLETION_INDEX` says which part, as in Kubernetes Indexed Jobs.',
    decidesWhatRuns: true,
  },
  shardDurations: {
    flags: '--shard-durations <results...>',
    kind: 'texts',
    group: 'What to run',
    description: 'balance shards by earlier durations',
    details:
      'Uses the task durations in these results or journals. Give every shard the same files, and put the option after the eval. With several evals, `{eval}` in a path stands for the name of each.',
    decidesWhatRuns: true,
  },
  rerunFailed: {
    flags: '--rerun-failed <results>',
    kind: 'text',
    group: 'What to run',
    description: 'only what did not pass in these results',
    details:
      'A results file of the same eval. With several evals, `{eval}` in the path stands for the name of each.',
    decidesWhatRuns: true,
  },
  agent: {
    flags: '--agent <agent>',
    kind: 'texts',
    group: 'Agents and servers',
    suggestions: currentBuiltins,
    description: 'agent type or Agent file; repeatable',
    details:
      "A built-in type such as `claude-code`, or the path of an Agent file, instead of the eval's agent. Several agents, models or MCP configs make a matrix: every combination does every task run.",
    repeatable: true,
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  model: {
    flags: '--model <model>',
    kind: 'texts',
    group: 'Agents and servers',
    description: 'model to use; repeatable',
    repeatable: true,
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  mcpConfigFile: {
    flags: '--mcp-config-file <file>',
    kind: 'texts',
    group: 'Agents and servers',
    description: 'MCP config to use; repeatable',
    details: 'Overrides the MCP config of the eval and the `MCP_*` variables.',
    repeatable: true,
    decidesWhatRuns: true,
    travels: 'resolved',
  },
  control: {
    flags: '--control',
    kind: 'flag',
    group: 'Agents and servers',
    description: 'find tasks that pass without an agent',
    details:
      'Runs every task once without an agent. A task that passes anyway checks nothing: it is reported, and the exit code is 1.',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  parallel: {
    flags: '-p, --parallel <n>',
    kind: 'count',
    most: maxParallel,
    group: 'How to run it',
    description: 'task runs in parallel',
    details: 'Only tasks with `parallel: true` run in parallel with others.',
    default: '4',
  },
  bail: {
    flags: '--bail [n]',
    kind: 'count',
    most: 1_000_000,
    whenBare: '1',
    group: 'How to run it',
    description: 'start no further task runs after n failures (default: 1)',
    details: 'Task runs under way finish. Put the option after the eval, or write `--bail=1`.',
    refuse: (value) =>
      /^\d+$/.test(value) ? undefined : 'Expected a number: write --bail=1, or the eval first.',
  },
  taskTimeout: {
    flags: '--task-timeout <duration>',
    kind: 'duration',
    group: 'How to run it',
    description: 'time limit for every task',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  defaultTaskTimeout: {
    flags: '--default-task-timeout <duration>',
    kind: 'duration',
    group: 'How to run it',
    description: 'time limit for tasks without one',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  cleanupTimeout: {
    flags: '--cleanup-timeout <duration>',
    kind: 'duration',
    group: 'How to run it',
    description: 'time limit for every cleanup',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  defaultCleanupTimeout: {
    flags: '--default-cleanup-timeout <duration>',
    kind: 'duration',
    group: 'How to run it',
    description: 'time limit for cleanups without one',
    decidesWhatRuns: true,
    travels: 'as-given',
  },
  concurrentAgents: {
    flags: '--concurrent-agents <n>',
    kind: 'count',
    most: 100_000,
    group: 'How to run it',
    description: 'agents that work at the same time',
    details:
      'Other task runs wait before their agents start; waiting does not count against their time limits. Overrides `limits.concurrentAgents` of the eval.',
  },
  requestsPerMinute: {
    flags: '--requests-per-minute <n>',
    kind: 'texts',
    group: 'How to run it',
    description: 'maximum requests to a model',
    details: describeRateTargets(60),
    repeatable: true,
  },
  tokensPerMinute: {
    flags: '--tokens-per-minute <n>',
    kind: 'texts',
    group: 'How to run it',
    description: 'maximum tokens of a model',
    details: `Input and output together. ${describeRateTargets(200_000)}`,
    repeatable: true,
  },
  maxCost: {
    flags: '--max-cost <dollars>',
    kind: 'dollars',
    group: 'Budget',
    description: 'start no task runs beyond this cost',
    details:
      'Counts agents and judge: the cost they report, or their tokens at the price of the model. Once this much has been spent, task runs under way finish, the rest do not start, the exit code is 1, and `--resume` continues. The other budgets work alike.',
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
    details: 'With `--resume`, the time between the checks does not count.',
  },
  prices: {
    flags: '--prices <file>',
    kind: 'text',
    group: 'Budget',
    description: 'prices of models (YAML or JSON)',
    details:
      'Overrides the prices that Proctor knows, and replaces the price file of the eval. `proctor schema prices` describes the format.',
    travels: 'resolved',
  },
  output: {
    flags: '-o, --output <format>',
    kind: 'choice',
    group: 'Results',
    description: 'output format',
    choices: ['text', 'json'],
    default: 'text',
  },
  reporter: {
    flags: '--reporter <name[=file]>',
    kind: 'texts',
    group: 'Results',
    suggestions: reporterNames,
    description: 'additional report; repeatable',
    details:
      '`text`, `json`, `junit`, `markdown`, `github`, `html` or `tap`, or the path of a module. Without a file, the report goes to standard output (`html`: next to the results). `{eval}` in a path stands for the name of the eval; several evals need it.',
    repeatable: true,
  },
  out: {
    flags: '--out <file>',
    kind: 'text',
    group: 'Results',
    description: 'results file',
    details:
      'By default, `proctor-<eval name>-out.json` in the current directory. The journal is next to it and ends in `.jsonl`. `{eval}` in the path stands for the name of the eval; several evals need it.',
  },
  resume: {
    flags: '--resume',
    kind: 'flag',
    group: 'Results',
    description: 'continue a run that was stopped',
    details: 'Refused if files of the suite have changed since; `--force` overrides this.',
  },
  force: {
    flags: '--force',
    kind: 'flag',
    group: 'Results',
    description: 'resume despite changes, or overwrite',
    details:
      'With `--resume`: even if files of the suite have changed. Without: overwrite the journal of an unfinished run.',
  },
  keepWorkdir: {
    flags: '--keep-workdir <when>',
    kind: 'choice',
    group: 'Results',
    description: 'keep working directories',
    choices: ['failed', 'always'],
    details: '`failed`: those of task runs that did not pass. By default, all are removed.',
  },
  queue: {
    flags: '--queue <url>',
    kind: 'text',
    group: 'Distributed runs',
    description: 'workers do it, through Redis or Valkey',
    details: `Workers (\`proctor worker\`) do the task runs; this process shows their progress and writes the journal. ${queueAddressDetails}`,
  },
  queuePrefix: {
    flags: '--queue-prefix <text>',
    kind: 'text',
    group: 'Distributed runs',
    description: 'prefix for Redis keys',
    details: `Workers and checks see each other only with the same prefix. By default, \`${queueDefaults.prefix}\`.`,
    needs: 'queue',
  },
  detach: {
    flags: '--detach',
    kind: 'flag',
    group: 'Distributed runs',
    description: 'exit once the work is queued',
    details:
      'Needs `--queue`. Workers continue, and what they report waits in the queue until `--resume` collects it. The command for that is printed.',
    needs: 'queue',
  },
  queueTtl: {
    flags: '--queue-ttl <duration>',
    kind: 'text',
    group: 'Distributed runs',
    description: 'how long a run may stay in the queue',
    details: `After this time its data expires, finished or not. By default, ${queueDefaults.lifetime}.`,
    needs: 'queue',
  },
  bundleRoot: {
    flags: '--bundle-root <folder>',
    kind: 'text',
    group: 'Distributed runs',
    description: "folder to upload (default: the eval's)",
    details: 'It must contain the eval and every file it uses. Everything below it is uploaded.',
    needs: 'queue',
  },
  bundleMaxSize: {
    flags: '--bundle-max-size <MiB>',
    kind: 'count',
    most: 1024,
    unit: 'MiB',
    group: 'Distributed runs',
    description: 'maximum size of the upload',
    details: `By default, ${queueDefaults.bundleMebibytes}.`,
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
