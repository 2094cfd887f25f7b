import type { CommandSpec, OptionSpec } from './command.js';

const output: OptionSpec = {
  flags: '-o, --output <format>',
  description: 'how to print',
  choices: ['text', 'json'],
  default: 'text',
};

const strict: OptionSpec = { flags: '--strict', description: 'treat warnings as errors' };

const mcpConfigFile: OptionSpec = {
  flags: '--mcp-config-file <file>',
  description: 'MCP config to use instead',
  details: "Wins over the eval's own and over MCP_* variables.",
};

const taskOptions: readonly OptionSpec[] = [
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

/** The options that decide which task runs happen; the same for every command with a plan. */
const selectionOptions: readonly OptionSpec[] = [
  ...taskOptions,
  { flags: '-n, --runs <n>', description: 'runs of every task' },
  { flags: '--shard <i/n>', description: 'only one part of the plan, such as 1/3' },
];

const limitOptions: readonly OptionSpec[] = [
  { flags: '--task-timeout <duration>', description: 'limit of every task' },
  { flags: '--default-task-timeout <duration>', description: 'limit of tasks that set none' },
  { flags: '--cleanup-timeout <duration>', description: 'limit of every cleanup' },
  { flags: '--default-cleanup-timeout <duration>', description: 'limit of cleanups that set none' },
];

/** The same options under a heading, for a command with many. */
function grouped(group: string, options: readonly OptionSpec[]): OptionSpec[] {
  return options.map((option) => ({ ...option, group }));
}

const checkOptions: readonly OptionSpec[] = [
  ...grouped('What runs', [
    ...selectionOptions,
    {
      flags: '--rerun-failed <results>',
      description: 'only task runs that did not pass then',
      details: 'Takes a results file of the same eval.',
    },
  ]),
  ...grouped('With what', [
    {
      flags: '--agent <agent>',
      description: 'builtin type or file to use instead',
      details: 'A builtin type such as `claude-code`, or the path of an agent file.',
    },
    { flags: '--model <model>', description: 'model to use instead' },
    mcpConfigFile,
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

/** Every command. Flags, help texts and docs/reference/cli.md come from this table. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'check',
    summary: 'run an eval and judge what the agent did',
    description:
      'Runs an eval: real agents do its tasks, and what they did is verified. Exit code 0: all passed; 1: something did not; 2: nothing ran; 130: interrupted.',
    arguments: [{ name: '<eval>', description: 'Eval file' }],
    options: checkOptions,
    examples: [
      { command: 'proctor check eval.yaml', does: 'every task' },
      { command: 'proctor check eval.yaml -r pod -n 3', does: 'some of them, three times' },
      { command: 'proctor check eval.yaml --agent claude-code', does: 'with another agent' },
      { command: 'proctor check eval.yaml --resume', does: 'go on after an interruption' },
    ],
    load: () => import('./commands/check.js'),
  },
  {
    name: 'validate',
    summary: 'check evals and every file they reach',
    description:
      'Checks evals and every file they reach, without running anything. A directory means every eval below it. Exit code 0: no errors; 2: errors.',
    arguments: [{ name: '<eval...>', description: 'Eval files or directories' }],
    options: [
      {
        flags: '--connect',
        description: 'also start servers and look for the agent',
        details:
          "Asks every server what it offers, checks exact names in assertions against that, and looks for the agent's program, model and key.",
      },
      mcpConfigFile,
      strict,
      output,
    ],
    examples: [
      { command: 'proctor validate eval.yaml', does: 'check one eval' },
      { command: 'proctor validate --connect eval.yaml', does: 'are servers and agent there?' },
      { command: 'proctor validate --strict .', does: 'every eval below, warnings count' },
      {
        command: 'proctor validate -o json eval.yaml',
        does: 'problems as data, for editors and CI',
      },
    ],
    load: () => import('./commands/validate.js'),
  },
  {
    name: 'list',
    summary: 'show which task runs an eval would do',
    description: 'Shows the plan of an eval: which task runs would happen, in which order.',
    arguments: [{ name: '<eval>', description: 'Eval file' }],
    options: [...selectionOptions, ...limitOptions, mcpConfigFile, strict, output],
    examples: [
      { command: 'proctor list eval.yaml', does: 'the whole plan' },
      { command: 'proctor list eval.yaml -r pod -l area=core', does: 'only some tasks' },
      { command: 'proctor list eval.yaml --shard 2/3 -o json', does: 'one shard, for programs' },
    ],
    load: () => import('./commands/list.js'),
  },
  {
    name: 'recheck',
    summary: 'judge recorded calls by edited assertions',
    description:
      'Evaluates the assertions of an eval over calls that were recorded, and shows what changed. Needs no agent, servers or keys. Exit code 0: every assertion holds; 1: some do not; 2: nothing was checked.',
    arguments: [
      {
        name: '<results>',
        description: 'Results or journal of `proctor check`, or results of mcpchecker',
      },
    ],
    options: [
      { flags: '--eval <eval>', description: 'Eval file with the assertions' },
      ...taskOptions,
      {
        ...strict,
        details: 'Also that a task occurs only in the eval, or only in the results.',
      },
      output,
    ],
    examples: [
      { command: 'proctor recheck out.json --eval eval.yaml', does: 'everything recorded' },
      { command: 'proctor recheck out.jsonl --eval eval.yaml', does: 'also of a killed run' },
      { command: 'proctor recheck out.json --eval eval.yaml -r pod', does: 'only some tasks' },
    ],
    load: () => import('./commands/recheck.js'),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a kind of file',
    description:
      'Prints the JSON Schema (2020-12) of a kind of file (eval, agent, mcp, task or results), for editors and other programs. The same schemas are in the schemas folder of the package.',
    arguments: [{ name: '<kind>', description: 'eval, agent, mcp, task or results' }],
    options: [],
    examples: [
      { command: 'proctor schema eval > eval.schema.json', does: 'write it to a file' },
      {
        command: '# yaml-language-server: $schema=eval.schema.json',
        does: 'line that editors look for',
      },
    ],
    load: () => import('./commands/schema.js'),
  },
  {
    name: 'proxy',
    summary: 'record what an agent does with MCP servers',
    description:
      'Puts a recording proxy before MCP servers and prints an mcpServers block for your agent. Shows calls as they happen; Ctrl-C ends it with a summary.',
    arguments: [],
    options: [
      {
        flags: '--mcp-config-file <file>',
        description: 'MCP config with the servers',
        details: 'Without it, the server comes from MCP_* variables.',
      },
      { flags: '--server <name>', description: 'only this server' },
      {
        flags: '--allow-all-tools',
        description: 'do not block any tool',
        details: 'Without it, `enableAllTools` and `alwaysAllow` of the MCP config count.',
      },
      {
        flags: '--port <n>',
        description: 'port on 127.0.0.1',
        details: 'Without it, or with 0, any that is free.',
      },
      {
        flags: '--out <file>',
        description: 'where the record goes (JSON Lines)',
        details: 'Without it, a new file `proctor-proxy-<time>.jsonl` in the current directory.',
      },
      {
        flags: '--write-config <file>',
        description: 'write the mcpServers block to a file',
        details: 'It is written when the proxy is ready, and nothing is printed to stdout then.',
      },
      {
        flags: '-v, --verbose',
        description: 'show every request, not only calls',
        details: 'The record has every message in any case.',
      },
    ],
    examples: [
      { command: 'proctor proxy --mcp-config-file mcp.json', does: 'every server in it' },
      { command: 'proctor proxy --mcp-config-file mcp.json --server db', does: 'one of them' },
      { command: 'MCP_URL=http://127.0.0.1:3001/mcp proctor proxy', does: 'without a file' },
    ],
    load: () => import('./commands/proxy.js'),
  },
  {
    name: 'bridge',
    summary: 'offer the URL of an MCP server on stdio',
    description:
      'Makes a stdio MCP server out of the URL of a Streamable HTTP one, for agents that only start programs. Works until standard input ends.',
    arguments: [{ name: '<url>', description: 'URL of an MCP server, or of `proctor proxy`' }],
    options: [],
    examples: [
      { command: 'proctor bridge http://127.0.0.1:3001/mcp', does: 'serve on stdio' },
      {
        command: '{"command":"npx","args":["-y","mcp-proctor","bridge","URL"]}',
        does: 'for mcpServers',
      },
    ],
    load: () => import('./commands/bridge.js'),
  },
];
