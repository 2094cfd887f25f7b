import { currentBuiltins } from '../config/agent-kinds.js';
import { exampleModels } from '../config/models.js';
import { reporterNames } from '../reporters/registry.js';
import { queueUseOptions } from './check/queue-use.js';
import type { OptionSpec } from './command.js';

export const output: OptionSpec = {
  flags: '-o, --output <format>',
  description: 'output format',
  choices: ['text', 'json'],
  default: 'text',
};

export const strict: OptionSpec = { flags: '--strict', description: 'treat warnings as errors' };

export const mcpConfigFile: OptionSpec = {
  flags: '--mcp-config-file <file>',
  description: 'MCP config to use instead',
  details: 'Overrides the MCP config of the eval and the `MCP_*` variables.',
};

/** Several of one kind make a matrix. */
const matrixOptions: readonly OptionSpec[] = [
  {
    flags: '--agent <agent>',
    suggestions: currentBuiltins,
    description: 'agent type or Agent file; repeatable',
    details:
      "A built-in type such as `claude-code`, or the path of an Agent file, instead of the eval's agent. Several agents, models or MCP configs make a matrix: every combination does every task run.",
    repeatable: true,
  },
  { flags: '--model <model>', description: 'model to use; repeatable', repeatable: true },
  { ...mcpConfigFile, description: 'MCP config to use; repeatable', repeatable: true },
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
    details: 'A task needs one of the values of each key.',
  },
];

export const judgedAtOnce: OptionSpec = {
  flags: '-p, --parallel <n>',
  description: 'answers judged at the same time',
  default: '4',
};

/** The options that decide which task runs happen; the same for every command with a plan. */
const selectionOptions: readonly OptionSpec[] = [
  ...taskOptions,
  {
    flags: '-n, --runs <n>',
    suggestions: ['auto'],
    description: 'runs of each task, or auto',
    details:
      'With `auto`, each task runs until the 95% interval of its pass rate is narrow enough (`--runs-width`), at least 3 times and at most `--runs-max` times.',
  },
  {
    flags: '--runs-width <w>',
    description: 'with auto: target width of the 95% interval (default: 0.4)',
    details: 'Measured from the lower to the upper bound: 0.4 is 40 percentage points.',
  },
  { flags: '--runs-max <n>', description: 'with auto: maximum runs (default: 20)' },
  {
    flags: '--shard <i/n>',
    description: 'only this part of the plan, such as 1/3',
    details:
      'With `n` alone, `JOB_COMPLETION_INDEX` says which part, as in Kubernetes Indexed Jobs.',
  },
  {
    flags: '--shard-durations <results...>',
    description: 'balance shards by earlier durations',
    details:
      'Uses the task durations in these results or journals. Give every shard the same files, and put the option after the eval. With several evals, `{eval}` in a path stands for the name of each.',
  },
];

const limitOptions: readonly OptionSpec[] = [
  { flags: '--task-timeout <duration>', description: 'time limit for every task' },
  { flags: '--default-task-timeout <duration>', description: 'time limit for tasks without one' },
  { flags: '--cleanup-timeout <duration>', description: 'time limit for every cleanup' },
  {
    flags: '--default-cleanup-timeout <duration>',
    description: 'time limit for cleanups without one',
  },
];

const forOneModel = (number: number) =>
  `The limit applies to each model separately; \`openai=${number}\` sets it for one provider, \`openai:${exampleModels.large}=${number}\` for one model. Overrides \`limits.rates\` of the eval. Can be repeated.`;

/** Limits over all task runs together. */
const sharedLimitOptions: readonly OptionSpec[] = [
  {
    flags: '--concurrent-agents <n>',
    description: 'agents that work at the same time',
    details:
      'Other task runs wait before their agents start; waiting does not count against their time limits. Overrides `limits.concurrentAgents` of the eval.',
  },
  {
    flags: '--requests-per-minute <n>',
    description: 'maximum requests to a model',
    details: forOneModel(60),
    repeatable: true,
  },
  {
    flags: '--tokens-per-minute <n>',
    description: 'maximum tokens of a model',
    details: `Input and output together. ${forOneModel(200_000)}`,
    repeatable: true,
  },
];

/** Puts options under a heading, for commands with many. */
function grouped(group: string, options: readonly OptionSpec[]): OptionSpec[] {
  return options.map((option) => ({ ...option, group }));
}

export const listOptions: readonly OptionSpec[] = [
  ...grouped('What to run', selectionOptions),
  ...grouped('Agents and servers', matrixOptions),
  ...grouped('How to run it', limitOptions),
  ...grouped('Options', [strict, output]),
];

export const checkOptions: readonly OptionSpec[] = [
  ...grouped('What to run', [
    ...selectionOptions,
    {
      flags: '--rerun-failed <results>',
      description: 'only what did not pass in these results',
      details:
        'A results file of the same eval. With several evals, `{eval}` in the path stands for the name of each.',
    },
  ]),
  ...grouped('Agents and servers', [
    ...matrixOptions,
    {
      flags: '--control',
      description: 'find tasks that pass without an agent',
      details:
        'Runs every task once without an agent. A task that passes anyway checks nothing: it is reported, and the exit code is 1.',
    },
  ]),
  ...grouped('How to run it', [
    {
      flags: '-p, --parallel <n>',
      description: 'task runs in parallel',
      details: 'Only tasks with `parallel: true` run in parallel with others.',
      default: '4',
    },
    {
      flags: '--bail [n]',
      description: 'start no further task runs after n failures (default: 1)',
      details: 'Task runs under way finish. Put the option after the eval, or write `--bail=1`.',
      refuse: (value) =>
        /^\d+$/.test(value) ? undefined : 'Expected a number: write --bail=1, or the eval first.',
    },
    ...limitOptions,
    ...sharedLimitOptions,
  ]),
  ...grouped('Budget', [
    {
      flags: '--max-cost <dollars>',
      description: 'start no task runs beyond this cost',
      details:
        'Counts agents and judge: the cost they report, or their tokens at the price of the model. Once this much has been spent, task runs under way finish, the rest do not start, the exit code is 1, and `--resume` continues. The other budgets work alike.',
    },
    {
      flags: '--max-tokens <n>',
      description: 'the same for tokens, such as 500k or 2M',
      details: 'Input and output of agents and judge.',
    },
    {
      flags: '--max-duration <duration>',
      description: 'the same for time, such as 30m',
      details: 'With `--resume`, the time between the checks does not count.',
    },
    {
      flags: '--prices <file>',
      description: 'prices of models (YAML or JSON)',
      details:
        'Overrides the prices that Proctor knows, and replaces the price file of the eval. `proctor schema prices` describes the format.',
    },
  ]),
  ...grouped('Results', [
    output,
    {
      flags: '--reporter <name[=file]>',
      suggestions: reporterNames,
      description: 'additional report; repeatable',
      details:
        '`text`, `json`, `junit`, `markdown`, `github`, `html` or `tap`, or the path of a module. Without a file, the report goes to standard output (`html`: next to the results). `{eval}` in a path stands for the name of the eval; several evals need it.',
      repeatable: true,
    },
    {
      flags: '--out <file>',
      description: 'results file',
      details:
        'By default, `proctor-<eval name>-out.json` in the current directory. The journal is next to it and ends in `.jsonl`. `{eval}` in the path stands for the name of the eval; several evals need it.',
    },
    {
      flags: '--resume',
      description: 'continue a run that was stopped',
      details: 'Refused if files of the suite have changed since; `--force` overrides this.',
    },
    {
      flags: '--force',
      description: 'resume despite changes, or overwrite',
      details:
        'With `--resume`: even if files of the suite have changed. Without: overwrite the journal of an unfinished run.',
    },
    {
      flags: '--keep-workdir <when>',
      description: 'keep working directories',
      choices: ['failed', 'always'],
      details: '`failed`: those of task runs that did not pass. By default, all are removed.',
    },
  ]),
  ...grouped('Distributed runs', queueUseOptions),
  ...grouped('Options', [
    strict,
    { flags: '-v, --verbose', description: 'show what agents say and every call' },
  ]),
];
