import type { OptionSpec } from './command.js';

export const output: OptionSpec = {
  flags: '-o, --output <format>',
  description: 'how to print',
  choices: ['text', 'json'],
  default: 'text',
};

/** As a shell offers them; a test holds them against those that there are. */
export const agentTypes = ['claude-code', 'openai-agent', 'llm-agent'];

export const strict: OptionSpec = { flags: '--strict', description: 'treat warnings as errors' };

export const mcpConfigFile: OptionSpec = {
  flags: '--mcp-config-file <file>',
  description: 'MCP config to use instead',
  details: "Wins over the eval's own and over MCP_* variables.",
};

/** Several of one kind make a matrix. */
export const matrixOptions: readonly OptionSpec[] = [
  {
    flags: '--agent <agent>',
    suggestions: agentTypes,
    description: 'builtin type or file to use instead',
    details:
      'A builtin type such as `claude-code`, or the path of an agent file. Several make a matrix, as do several models and MCP configs: each combination does every task run.',
    repeatable: true,
  },
  { flags: '--model <model>', description: 'model to use instead', repeatable: true },
  { ...mcpConfigFile, repeatable: true },
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
export const selectionOptions: readonly OptionSpec[] = [
  ...taskOptions,
  { flags: '-n, --runs <n>', description: 'runs of every task' },
  { flags: '--shard <i/n>', description: 'only one part of the plan, such as 1/3' },
];

export const limitOptions: readonly OptionSpec[] = [
  { flags: '--task-timeout <duration>', description: 'limit of every task' },
  { flags: '--default-task-timeout <duration>', description: 'limit of tasks that set none' },
  { flags: '--cleanup-timeout <duration>', description: 'limit of every cleanup' },
  { flags: '--default-cleanup-timeout <duration>', description: 'limit of cleanups that set none' },
];

/** The same options under a heading, for a command with many. */
function grouped(group: string, options: readonly OptionSpec[]): OptionSpec[] {
  return options.map((option) => ({ ...option, group }));
}

export const checkOptions: readonly OptionSpec[] = [
  ...grouped('What runs', [
    ...selectionOptions,
    {
      flags: '--rerun-failed <results>',
      description: 'only task runs that did not pass then',
      details: 'Takes a results file of the same eval.',
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
  ]),
  ...grouped('Results', [
    output,
    {
      flags: '--reporter <name[=file]>',
      suggestions: ['text', 'json', 'junit', 'markdown', 'github', 'html', 'tap'],
      description: 'also report as ...; several at once',
      details:
        '`text`, `json`, `junit`, `markdown`, `github`, `html` or `tap`, or the path of a module. Without a file it goes to standard output, `html` beside the results. Can be given several times.',
      repeatable: true,
    },
    {
      flags: '--out <file>',
      description: 'results file',
      details:
        'Without it, `proctor-<eval name>-out.json` in the current directory. The journal is beside it, with the ending `.jsonl`.',
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
  ...grouped('Options', [
    strict,
    { flags: '-v, --verbose', description: 'show what agents say, and every call' },
  ]),
];
