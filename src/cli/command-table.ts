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

/** The options that decide which task runs happen; the same for every command with a plan. */
const planOptions: readonly OptionSpec[] = [
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
  { flags: '-n, --runs <n>', description: 'runs of every task' },
  { flags: '--shard <i/n>', description: 'only one part of the plan, such as 1/3' },
  { flags: '--task-timeout <duration>', description: 'limit of every task' },
  { flags: '--default-task-timeout <duration>', description: 'limit of tasks that set none' },
  { flags: '--cleanup-timeout <duration>', description: 'limit of every cleanup' },
  { flags: '--default-cleanup-timeout <duration>', description: 'limit of cleanups that set none' },
];

/** Every command. Flags, help texts and docs/reference/cli.md come from this table. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'validate',
    summary: 'check evals and every file they reach',
    description:
      'Checks evals and every file they reach, without running anything. A directory means every eval below it. Exit code 0: no errors; 2: errors.',
    arguments: [{ name: '<eval...>', description: 'Eval files or directories' }],
    options: [mcpConfigFile, strict, output],
    examples: [
      { command: 'proctor validate eval.yaml', does: 'check one eval' },
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
    options: [...planOptions, mcpConfigFile, strict, output],
    examples: [
      { command: 'proctor list eval.yaml', does: 'the whole plan' },
      { command: 'proctor list eval.yaml -r pod -l area=core', does: 'only some tasks' },
      { command: 'proctor list eval.yaml --shard 2/3 -o json', does: 'one shard, for programs' },
    ],
    load: () => import('./commands/list.js'),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a kind of file',
    description:
      'Prints the JSON Schema (2020-12) of a kind of file (eval, agent, mcp or task), for editors and other programs. The same schemas are in the schemas folder of the package.',
    arguments: [{ name: '<kind>', description: 'eval, agent, mcp or task' }],
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
