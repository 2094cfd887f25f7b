import { currentBuiltins } from '../config/agent-kinds.js';
import { exampleModels } from '../config/models.js';
import { reporterNames } from '../reporters/registry.js';
import { queueUseOptions } from './check/queue-use.js';
import type { OptionSpec } from './command.js';

export const output: OptionSpec = {
  flags: '-o, --output <format>',
  description: 'how to print',
  choices: ['text', 'json'],
  default: 'text',
};

export const strict: OptionSpec = { flags: '--strict', description: 'treat warnings as errors' };

export const mcpConfigFile: OptionSpec = {
  flags: '--mcp-config-file <file>',
  description: 'MCP config to use instead',
  details: "Wins over the eval's own and over MCP_* variables.",
};

/** Several of one kind make a matrix. */
const matrixOptions: readonly OptionSpec[] = [
  {
    flags: '--agent <agent>',
    suggestions: currentBuiltins,
    description: 'builtin type or file to use; or several',
    details:
      "A builtin type such as `claude-code`, or the path of an agent file, in place of the eval's. Several make a matrix, as do several models and MCP configs: each combination does every task run.",
    repeatable: true,
  },
  { flags: '--model <model>', description: 'model to use, or several', repeatable: true },
  { ...mcpConfigFile, description: 'MCP config to use, or several', repeatable: true },
];

export const taskOptions: readonly OptionSpec[] = [
  {
    flags: '-r, --run <regex>',
    description: 'only tasks with a matching name',
    details: 'A pattern in RE2 syntax, unanchored.',
  },
  {
    flags: '-l, --label-selector <k=v,...>',
    description: 'only tasks with these labels',
    details: 'Of several values of one key, one must match; of several keys, all.',
  },
];

export const judgedAtOnce: OptionSpec = {
  flags: '-p, --parallel <n>',
  description: 'answers judged at once',
  default: '4',
};

/** The options that decide which task runs happen; the same for every command with a plan. */
const selectionOptions: readonly OptionSpec[] = [
  ...taskOptions,
  {
    flags: '-n, --runs <n>',
    suggestions: ['auto'],
    description: 'runs of every task, or auto',
    details:
      'With `auto`, each task runs until the 95% interval of its pass rate is narrow enough (`--runs-width`), at least 3 times and at most `--runs-max` times.',
  },
  {
    flags: '--runs-width <w>',
    description: 'with auto: how wide it may be, or 0.4',
    details: 'From the lower to the upper end of the interval: 0.4 is 40 percentage points.',
  },
  { flags: '--runs-max <n>', description: 'with auto: most runs of a task, or 20' },
  {
    flags: '--shard <i/n>',
    description: 'only one part of the plan, such as 1/3',
    details:
      'With `n` alone, which one it is comes from `JOB_COMPLETION_INDEX`, as Indexed Jobs of Kubernetes set it.',
  },
  {
    flags: '--shard-durations <results...>',
    description: 'balance shards by earlier durations',
    details:
      'By how long tasks took in these results or journals. Every shard has to be given the same. Write it behind the eval. With several evals, `{eval}` in a path stands for the name of each.',
  },
];

const limitOptions: readonly OptionSpec[] = [
  { flags: '--task-timeout <duration>', description: 'limit of every task' },
  { flags: '--default-task-timeout <duration>', description: 'limit of tasks that set none' },
  { flags: '--cleanup-timeout <duration>', description: 'limit of every cleanup' },
  { flags: '--default-cleanup-timeout <duration>', description: 'limit of cleanups that set none' },
];

const forOneModel = (number: number) =>
  `Each model has it for itself; \`openai=${number}\` is for one provider, \`openai:${exampleModels.large}=${number}\` for one model. Wins over \`limits.rates\` of the eval. Can be given several times.`;

/** Limits over all task runs together. */
const sharedLimitOptions: readonly OptionSpec[] = [
  {
    flags: '--concurrent-agents <n>',
    description: 'agents at work at once',
    details:
      'The other task runs wait before their agents begin, which counts against no limit of theirs. Wins over `limits.concurrentAgents` of the eval.',
  },
  {
    flags: '--requests-per-minute <n>',
    description: 'most requests to a model',
    details: forOneModel(60),
    repeatable: true,
  },
  {
    flags: '--tokens-per-minute <n>',
    description: 'most tokens of a model',
    details: `Of requests and answers together. ${forOneModel(200_000)}`,
    repeatable: true,
  },
];

/** Puts options under a heading, for commands with many. */
function grouped(group: string, options: readonly OptionSpec[]): OptionSpec[] {
  return options.map((option) => ({ ...option, group }));
}

export const listOptions: readonly OptionSpec[] = [
  ...grouped('What runs', selectionOptions),
  ...grouped('With what', matrixOptions),
  ...grouped('How', limitOptions),
  ...grouped('Options', [strict, output]),
];

export const checkOptions: readonly OptionSpec[] = [
  ...grouped('What runs', [
    ...selectionOptions,
    {
      flags: '--rerun-failed <results>',
      description: 'only task runs that did not pass then',
      details:
        'Takes a results file of the same eval. With several evals, `{eval}` in its path stands for the name of each.',
    },
  ]),
  ...grouped('With what', [
    ...matrixOptions,
    {
      flags: '--control',
      description: 'no agent: name tasks that check nothing',
      details:
        'Every task runs once without an agent. One that passes all the same is named, and the exit code is 1.',
    },
  ]),
  ...grouped('How', [
    {
      flags: '-p, --parallel <n>',
      description: 'task runs at once',
      details: 'Only tasks with `parallel: true` run beside others.',
      default: '4',
    },
    {
      flags: '--bail [n]',
      description: 'start nothing after n failures, or 1',
      details: 'What runs already comes to its end. Write it behind the eval, or as `--bail=1`.',
      refuse: (value) =>
        /^\d+$/.test(value) ? undefined : 'Expected a number: write --bail=1, or the eval first.',
    },
    ...limitOptions,
    ...sharedLimitOptions,
  ]),
  ...grouped('Budget', [
    {
      flags: '--max-cost <dollars>',
      description: 'start nothing when so much is spent',
      details:
        'By agents and judge, as they report it or by their tokens and the price of the model. What runs already comes to its end; the rest is not run, the exit code is 1, and `--resume` goes on. The same holds for the other budgets.',
    },
    {
      flags: '--max-tokens <n>',
      description: 'the same for tokens, such as 500k or 2M',
      details: 'Input and output of agents and judge.',
    },
    {
      flags: '--max-duration <duration>',
      description: 'the same for time, such as 30m',
      details: 'With `--resume`, the time that the check lay still does not count.',
    },
    {
      flags: '--prices <file>',
      description: 'what models cost (YAML or JSON)',
      details:
        "Counts before the prices that Proctor knows, and in place of the eval's own file. `proctor schema prices` describes it.",
    },
  ]),
  ...grouped('Results', [
    output,
    {
      flags: '--reporter <name[=file]>',
      suggestions: reporterNames,
      description: 'also report as ...; several at once',
      details:
        '`text`, `json`, `junit`, `markdown`, `github`, `html` or `tap`, or the path of a module. Without a file it goes to standard output, `html` beside the results. `{eval}` in a path stands for the name of the eval, which several evals need. Can be given several times.',
      repeatable: true,
    },
    {
      flags: '--out <file>',
      description: 'results file',
      details:
        'Without it, `proctor-<eval name>-out.json` in the current directory. The journal is beside it, with the ending `.jsonl`. `{eval}` in the path stands for the name of the eval, which several evals need.',
    },
    {
      flags: '--resume',
      description: 'go on with what a stopped run left',
      details: 'Refused if files of the suite changed since; `--force` overrides.',
    },
    {
      flags: '--force',
      description: 'resume despite changes, or overwrite',
      details:
        'With `--resume`: although files of the suite changed. Without: the journal of an unfinished run is overwritten.',
    },
    {
      flags: '--keep-workdir <when>',
      description: 'keep working directories',
      choices: ['failed', 'always'],
      details: 'Of task runs that did not pass, or of all. Else they are removed.',
    },
  ]),
  ...grouped('Over machines', queueUseOptions),
  ...grouped('Options', [
    strict,
    { flags: '-v, --verbose', description: 'show what agents say, and every call' },
  ]),
];
