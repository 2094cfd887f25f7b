import { currentBuiltins } from '../config/agent-kinds.js';
import type { CommandSpec } from './command.js';
import {
  checkOptions,
  judgedAtOnce,
  listOptions,
  mcpConfigFile,
  output,
  queueOptions,
  strict,
  taskOptions,
} from './command-options.js';
import { resultCommands } from './result-commands.js';
import { workerOptionSpecs } from './worker/worker-options.js';

/** Every command. Flags, help texts and docs/reference/cli.md come from this table. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'create a starter suite for your server',
    heading: 'Evaluate',
    description:
      'Asks for an MCP server and an agent, looks at what the server offers, and writes a suite: eval, MCP config, agent and tasks. It does not ask for what options give.',
    arguments: [{ name: '[folder]', description: 'Folder for the suite (default: `evals`)' }],
    options: [
      {
        flags: '--server <command or url>',
        description: 'command that starts the server, or its URL',
        details: 'Quote a command line: `"npx -y my-server --stdio"`.',
      },
      {
        flags: '--from <recording>',
        description: 'create tasks from a proctor proxy recording',
        details:
          'One task for each session with a successful call, a rule that lets the scripted agent repeat the calls, and assertions that require them. The servers are those of the recording, unless you give `--server` or `--mcp-config-file`.',
      },
      {
        flags: '--prompt <text>',
        description: 'with --from: what the user asked',
        details:
          'Give it once for each session, in order. In a terminal, Proctor asks for missing prompts; otherwise they stay empty, and the suite is not valid until you write them.',
        repeatable: true,
      },
      {
        flags: '--session <n>',
        description: 'with --from: only this session',
        details: 'Can be repeated.',
        repeatable: true,
      },
      {
        flags: '--mcp-config-file <file>',
        description: 'with --from: MCP config to use',
        details: 'Its servers must have the same names as in the recording.',
      },
      {
        flags: '--name <name>',
        description: 'name of the server',
        details:
          'By default, the name that the server reports. With `--from`, the name of the eval.',
      },
      {
        flags: '--header <name: value>',
        description: 'header for a URL, such as a token',
        details:
          'Can be repeated. Keep secrets in the environment: write `Authorization: Bearer ${TOKEN}`.',
        repeatable: true,
      },
      {
        flags: '--env <name=value>',
        description: 'environment variable for the server',
        details: 'Can be repeated.',
        repeatable: true,
      },
      {
        flags: '--agent <agent>',
        description: 'agent that does the tasks: scripted, claude-code, ...',
        suggestions: ['scripted', ...currentBuiltins],
        details:
          '`scripted` needs no model, so the first run always works. Others are `claude-code`, `openai-agent`, `llm-agent`, and the path of an Agent file (for ACP agents and command lines).',
      },
      { flags: '--model <model>', description: 'model for the agent' },
      {
        flags: '--tasks <n>',
        description: 'maximum number of tasks',
        details: 'Not with `--from`, which writes one task per session.',
        default: '5',
      },
      { flags: '-y, --yes', description: 'do not prompt; use defaults' },
      { flags: '--force', description: 'overwrite existing files' },
    ],
    examples: [
      { command: 'proctor init', does: 'interactive' },
      { command: 'proctor init --server "node server.js" -y', does: 'without questions' },
      { command: 'proctor init --server https://example.com/mcp', does: 'a remote server' },
      { command: 'proctor init --from record.jsonl', does: 'from a recording' },
    ],
    load: () => import('./commands/init.js'),
  },
  {
    name: 'check',
    summary: 'run evals and judge what the agent did',
    heading: 'Evaluate',
    description:
      'Runs evals: agents do the tasks, and Proctor verifies what they did. Exit code 0: all passed; 1: something did not; 2: nothing ran; 130: interrupted.',
    arguments: [
      { name: '<eval...>', description: 'Eval files, or directories: every eval below them' },
    ],
    options: checkOptions,
    examples: [
      { command: 'proctor check eval.yaml', does: 'every task' },
      { command: 'proctor check evals/', does: 'every eval in a directory' },
      { command: 'proctor check eval.yaml -r pod -n 3', does: 'some tasks, three times' },
      { command: 'proctor check eval.yaml --agent claude-code', does: 'use another agent' },
      { command: 'proctor check eval.yaml --model a --model b', does: 'compare two models' },
      { command: 'proctor check eval.yaml -n auto --max-cost 5', does: 'as often as needed' },
      { command: 'proctor check eval.yaml --resume', does: 'continue after a stop' },
      {
        command: 'proctor check eval.yaml --queue redis://host',
        does: 'let workers do it',
      },
    ],
    load: () => import('./commands/check.js'),
  },
  {
    name: 'validate',
    summary: 'find mistakes in evals without running them',
    heading: 'Evaluate',
    description:
      'Looks for mistakes in evals and in every file they use, without running anything. Exit code 0: no errors; 2: errors.',
    arguments: [
      { name: '<eval...>', description: 'Eval files, or directories: every eval below them' },
    ],
    options: [
      {
        flags: '--connect',
        description: 'also start the servers and look for the agent',
        details:
          "Fetches missing task sources, asks every server what it offers, compares exact names in assertions with that, and looks for the agent's program, model and key.",
      },
      {
        flags: '--update-sources',
        description: 'fetch task sources again and pin them',
        details:
          'Resolves the `ref` of each source, fetches it, and writes the commit to `proctor.lock.json`.',
      },
      mcpConfigFile,
      strict,
      output,
    ],
    examples: [
      { command: 'proctor validate eval.yaml', does: 'check one eval' },
      { command: 'proctor validate --connect eval.yaml', does: 'also try the servers' },
      { command: 'proctor validate --strict .', does: 'fail on warnings, too' },
      {
        command: 'proctor validate -o json eval.yaml',
        does: 'for editors and CI',
      },
    ],
    load: () => import('./commands/validate.js'),
  },
  {
    name: 'list',
    summary: 'show which task runs a check would do',
    heading: 'Evaluate',
    description: 'Shows the plan of an eval: which task runs a check would do, and in which order.',
    arguments: [{ name: '<eval>', description: 'Eval file' }],
    options: listOptions,
    examples: [
      { command: 'proctor list eval.yaml', does: 'the whole plan' },
      { command: 'proctor list eval.yaml --shard 2/3 -o json', does: 'one shard, for programs' },
    ],
    load: () => import('./commands/list.js'),
  },
  ...resultCommands,
  {
    name: 'worker',
    summary: 'do task runs for checks on other machines',
    heading: 'Distributed runs',
    description:
      'Takes task runs from a queue and does them until it is stopped. The machine needs Proctor, the programs of the agents, and their keys in the environment; files of the suite come with the run. On Ctrl-C, it finishes its task runs.',
    arguments: [],
    options: workerOptionSpecs,
    examples: [
      { command: 'proctor worker --queue redis://host:6379', does: 'one at a time' },
      {
        command: 'proctor worker --concurrency 4 --label cluster=gpu',
        does: 'PROCTOR_QUEUE is set',
      },
      { command: 'proctor check eval.yaml --queue redis://host:6379', does: 'give it work' },
    ],
    load: () => import('./commands/worker.js'),
  },
  {
    name: 'status',
    group: 'queue',
    isOnlyInGroup: true,
    summary: 'show runs and workers',
    heading: 'Distributed runs',
    description:
      'Shows the runs in a queue, their progress, what they are waiting for, and the workers.',
    arguments: [{ name: '[run]', description: 'Only this run: its id, or the beginning of it' }],
    options: [...queueOptions, output],
    examples: [
      { command: 'proctor queue status --queue redis://host:6379', does: 'everything' },
      { command: 'proctor queue status -o json', does: 'for programs' },
    ],
    load: async () => ({ run: (await import('./commands/queue.js')).showStatus }),
  },
  {
    name: 'cancel',
    group: 'queue',
    isOnlyInGroup: true,
    summary: 'stop a run',
    heading: 'Distributed runs',
    description:
      'Stops a run: task runs under way are stopped and cleaned up, and no others start. Its check ends as if interrupted; `check --resume` does the rest.',
    arguments: [{ name: '<run>', description: 'Id of the run, or the beginning of it' }],
    options: queueOptions,
    examples: [
      {
        command: 'proctor queue cancel 3f2a --queue redis://host:6379',
        does: 'the beginning of its id',
      },
    ],
    load: async () => ({ run: (await import('./commands/queue.js')).cancelRun }),
  },
  {
    name: 'recheck',
    summary: 'apply edited assertions to recorded calls',
    heading: 'Look at results',
    description:
      'Applies the assertions of an eval to recorded calls and shows what changed. Needs no agent, server or key, except the judge with `--rejudge`. Exit code 0: everything holds; 1: something does not; 2: nothing was checked.',
    arguments: [
      {
        name: '<results>',
        description:
          'Results or journal of `proctor check`, results of mcpchecker, or a recording of `proctor proxy`, whose sessions count as runs of one task',
      },
    ],
    options: [
      { flags: '--eval <eval>', description: 'Eval file with the assertions' },
      {
        flags: '--rejudge',
        description: 'also ask the LLM judge again',
        details:
          'It judges the recorded answers, with the current `llmJudge` steps and judge of the eval.',
      },
      {
        flags: '--out <file>',
        description: 'write results with the new verdicts',
        details:
          'For `diff`, `report`, `verify` and other commands. The file has the rechecked task runs and marks them as rechecked. Failed verifications stay failed, and errors stay errors.',
      },
      judgedAtOnce,
      ...taskOptions,
      {
        ...strict,
        details: 'This includes tasks that are only in the eval or only in the results.',
      },
      output,
    ],
    examples: [
      { command: 'proctor recheck out.json --eval eval.yaml', does: 'everything recorded' },
      { command: 'proctor recheck out.json --eval eval.yaml --rejudge', does: 'judge again' },
      { command: 'proctor recheck out.json --eval eval.yaml --out new.json', does: 'save it' },
      { command: 'proctor recheck record.jsonl --eval eval.yaml -r pod', does: 'a recording' },
    ],
    load: () => import('./commands/recheck.js'),
  },
  {
    name: 'judge-eval',
    summary: 'measure an LLM judge against labelled answers',
    heading: 'Other commands',
    description:
      'Compares the verdicts of a judge with labels that you know are right. Exit code 0: all thresholds are met; 1: one is not, or a case has no verdict; 2: nothing was asked.',
    arguments: [{ name: '<cases>', description: 'File with labelled answers (YAML or JSON)' }],
    options: [
      { flags: '--eval <eval>', description: 'use the judge of this eval' },
      {
        flags: '--judge <agent>',
        suggestions: currentBuiltins,
        description: 'or this one: built-in type or Agent file',
        details: 'A built-in type such as `llm-agent`, or the path of an Agent file.',
      },
      { flags: '--model <model>', description: 'use this model instead' },
      {
        flags: '--votes <n>',
        description: 'number of votes; the majority decides',
        default: '1',
      },
      judgedAtOnce,
      {
        flags: '--min-agreement <r>',
        description: 'minimum share of right verdicts, such as 0.9',
      },
      { flags: '--min-kappa <r>', description: "minimum Cohen's kappa, such as 0.6" },
      {
        flags: '--max-false-passes <n>',
        description: 'maximum number of wrong answers passed',
        details: 'Also not met if no wrong answer was judged.',
      },
      strict,
      output,
    ],
    examples: [
      { command: 'proctor judge-eval cases.yaml --eval eval.yaml', does: 'the judge of an eval' },
      { command: 'proctor judge-eval cases.yaml --judge judge.yaml', does: 'an Agent file' },
    ],
    load: () => import('./commands/judge-eval.js'),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a file format',
    heading: 'Other commands',
    description:
      'Prints the JSON Schema (2020-12) of a file format, for editors and other programs: eval, agent, mcp, task, judge-cases, prices or results. The package has the same schemas in its schemas folder.',
    arguments: [
      {
        name: '<kind>',
        description: 'eval, agent, mcp, task, judge-cases, prices or results',
        suggestions: ['eval', 'agent', 'mcp', 'task', 'judge-cases', 'prices', 'results'],
      },
    ],
    options: [],
    examples: [
      { command: 'proctor schema eval > eval.schema.json', does: 'save it' },
      {
        command: '# yaml-language-server: $schema=eval.schema.json',
        does: 'first line, for editors',
      },
    ],
    load: () => import('./commands/schema.js'),
  },
  {
    name: 'proxy',
    summary: 'record what an agent does with MCP servers',
    heading: 'Other commands',
    description:
      'Starts a recording proxy in front of MCP servers and prints an mcpServers block for your agent. Shows calls as they happen. Ctrl-C stops it and prints a summary.',
    arguments: [],
    options: [
      {
        flags: '--mcp-config-file <file>',
        description: 'MCP config with the servers',
        details: 'By default, the server comes from the `MCP_*` variables.',
      },
      { flags: '--server <name>', description: 'only this server' },
      {
        flags: '--allow-all-tools',
        description: 'do not block any tool',
        details: 'By default, `enableAllTools` and `alwaysAllow` of the MCP config decide.',
      },
      {
        flags: '--port <n>',
        description: 'port on 127.0.0.1',
        details: 'By default, or with 0, any free port.',
      },
      {
        flags: '--out <file>',
        description: 'recording to write (JSON Lines)',
        details: 'By default, a new file `proctor-proxy-<time>.jsonl` in the current directory.',
      },
      {
        flags: '--write-config <file>',
        description: 'write the mcpServers block to a file',
        details: 'Written when the proxy is ready. Nothing is printed to standard output.',
      },
      {
        flags: '-v, --verbose',
        description: 'show every request, not only tool calls',
        details: 'The recording always has every message.',
      },
    ],
    examples: [
      { command: 'proctor proxy --mcp-config-file mcp.json', does: 'all its servers' },
      { command: 'proctor proxy --mcp-config-file mcp.json --server db', does: 'one of them' },
      { command: 'MCP_URL=http://127.0.0.1:3001/mcp proctor proxy', does: 'without a file' },
    ],
    load: () => import('./commands/proxy.js'),
  },
  {
    name: 'bridge',
    summary: 'expose a remote MCP server on stdio',
    heading: 'Other commands',
    description:
      'Exposes an MCP server with a Streamable HTTP URL as a stdio server, for agents that can only start programs. Runs until standard input ends.',
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
  {
    name: 'completion',
    summary: 'print a shell completion script',
    heading: 'Other commands',
    description:
      'Prints a script with which bash, zsh or fish completes commands, options and values.',
    arguments: [
      { name: '<shell>', description: 'bash, zsh or fish', suggestions: ['bash', 'zsh', 'fish'] },
    ],
    options: [],
    examples: [
      { command: 'proctor completion bash >> ~/.bashrc', does: 'for bash' },
      { command: 'proctor completion zsh > "${fpath[1]}/_proctor"', does: 'for zsh' },
      {
        command: 'proctor completion fish > ~/.config/fish/completions/proctor.fish',
        does: 'for fish',
      },
    ],
    load: () => import('./commands/completion.js'),
  },
];
