import { currentBuiltins } from '../config/agent-kinds.js';
import type { CommandSpec } from './command.js';
import {
  checkOptions,
  judgedAtOnce,
  listOptions,
  mcpConfigFile,
  output,
  strict,
  taskOptions,
} from './command-options.js';
import { queueCommands } from './queue-commands.js';
import { resultCommands } from './result-commands.js';

/** Every command. Flags, help texts and docs/reference/cli.md come from this table. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'write a suite to start from',
    heading: 'Evaluate',
    description:
      'Asks for an MCP server and an agent, looks at what the server offers, and writes a suite: eval, MCP config, agent and tasks. With flags it does not have to ask.',
    arguments: [{ name: '[folder]', description: 'Where the suite goes; without it, `evals`' }],
    options: [
      {
        flags: '--server <command or url>',
        description: 'how the server is started, or its URL',
        details: 'A command line in one word, such as `"npx -y my-server --stdio"`.',
      },
      {
        flags: '--from <recording>',
        description: 'make tasks of what proctor proxy recorded',
        details:
          'A task for each session in which a call went well, with a rule for the scripted agent that repeats these calls, and assertions that ask for them. The servers are those of the recording, unless `--server` or `--mcp-config-file` is given.',
      },
      {
        flags: '--prompt <text>',
        description: 'with --from: what the user asked',
        details:
          'Once for each session, in their order. What is not given is asked in a terminal; else it is left empty, and the suite is not valid until you write it.',
        repeatable: true,
      },
      {
        flags: '--session <n>',
        description: 'with --from: only this session',
        details: 'Can be given several times.',
        repeatable: true,
      },
      {
        flags: '--mcp-config-file <file>',
        description: 'with --from: MCP config to use',
        details: 'Its servers need the names that they have in the recording.',
      },
      {
        flags: '--name <name>',
        description: 'name of the server',
        details: 'Without it, what the server calls itself. With `--from`, name of the eval.',
      },
      {
        flags: '--header <name: value>',
        description: 'header for a URL, such as a token',
        details:
          'Can be given several times. A secret belongs into the environment: write `Authorization: Bearer ${TOKEN}`.',
        repeatable: true,
      },
      {
        flags: '--env <name=value>',
        description: "variable for the server's command",
        details: 'Can be given several times.',
        repeatable: true,
      },
      {
        flags: '--agent <agent>',
        description: 'who does the tasks: scripted, which needs no model, claude-code, ...',
        suggestions: ['scripted', ...currentBuiltins],
        details:
          '`scripted` needs no model: a first run that always works. Others are `claude-code`, `openai-agent`, `llm-agent`, or an ACP agent or command line by its file.',
      },
      { flags: '--model <model>', description: 'model of the agent' },
      {
        flags: '--tasks <n>',
        description: 'most tasks to write',
        details: 'Not with `--from`: there is one for each session.',
        default: '5',
      },
      { flags: '-y, --yes', description: 'ask nothing: what is not given is chosen' },
      { flags: '--force', description: 'overwrite files that are there' },
    ],
    examples: [
      { command: 'proctor init', does: 'asks what it needs' },
      { command: 'proctor init --server "node server.js" -y', does: 'asks nothing' },
      { command: 'proctor init --server https://example.com/mcp', does: 'a remote server' },
      { command: 'proctor init --from record.jsonl', does: 'tasks of a recorded session' },
    ],
    load: () => import('./commands/init.js'),
  },
  {
    name: 'check',
    summary: 'run evals and judge what the agent did',
    heading: 'Evaluate',
    description:
      'Runs evals: real agents do their tasks, and what they did is verified. A directory means every eval below it. Exit code 0: all passed; 1: something did not; 2: nothing ran; 130: interrupted.',
    arguments: [{ name: '<eval...>', description: 'Eval files or directories' }],
    options: checkOptions,
    examples: [
      { command: 'proctor check eval.yaml', does: 'every task' },
      { command: 'proctor check evals/', does: 'every eval below' },
      { command: 'proctor check eval.yaml -r pod -n 3', does: 'some of them, three times' },
      { command: 'proctor check eval.yaml --agent claude-code', does: 'with another agent' },
      { command: 'proctor check eval.yaml --model a --model b', does: 'with each of two models' },
      { command: 'proctor check eval.yaml -n auto --max-cost 5', does: 'as often as needed' },
      { command: 'proctor check eval.yaml --resume', does: 'go on after an interruption' },
      {
        command: 'proctor check eval.yaml --queue redis://host',
        does: 'on whatever workers are there',
      },
    ],
    load: () => import('./commands/check.js'),
  },
  {
    name: 'validate',
    summary: 'check evals and every file they reach',
    heading: 'Evaluate',
    description:
      'Checks evals and every file they reach, without running anything. A directory means every eval below it. Exit code 0: no errors; 2: errors.',
    arguments: [{ name: '<eval...>', description: 'Eval files or directories' }],
    options: [
      {
        flags: '--connect',
        description: 'also start servers and look for the agent',
        details:
          "Fetches sources of tasks that are missing, asks every server what it offers, checks exact names in assertions against that, and looks for the agent's program, model and key.",
      },
      {
        flags: '--update-sources',
        description: 'fetch the sources of tasks anew and pin them',
        details:
          'Looks up what the `ref` of each source is now, fetches it, and writes its commit to `proctor.lock.json`.',
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
    heading: 'Evaluate',
    description: 'Shows the plan of an eval: which task runs would happen, in which order.',
    arguments: [{ name: '<eval>', description: 'Eval file' }],
    options: listOptions,
    examples: [
      { command: 'proctor list eval.yaml', does: 'the whole plan' },
      { command: 'proctor list eval.yaml --shard 2/3 -o json', does: 'one shard, for programs' },
    ],
    load: () => import('./commands/list.js'),
  },
  ...resultCommands,
  ...queueCommands,
  {
    name: 'recheck',
    summary: 'judge recorded calls by edited assertions',
    heading: 'Look at results',
    description:
      'Evaluates the assertions of an eval over calls that were recorded, and shows what changed. Needs no agent, servers or keys, but for those of the judge with `--rejudge`. Exit code 0: everything holds; 1: something does not; 2: nothing was checked.',
    arguments: [
      {
        name: '<results>',
        description:
          'Results or journal of `proctor check`, or results of mcpchecker; or a recording of `proctor proxy`, whose sessions are taken for runs of one task',
      },
    ],
    options: [
      { flags: '--eval <eval>', description: 'Eval file with the assertions' },
      {
        flags: '--rejudge',
        description: 'also ask the LLM judge again',
        details:
          'About the recorded answers, with the `llmJudge` steps and the judge of the eval as they are now.',
      },
      {
        flags: '--out <file>',
        description: 'write results with the new verdicts',
        details:
          'For `diff`, `report`, `verify` and the others. They hold the task runs that were rechecked, and say that they were. What failed verification stays failed, and an error stays an error.',
      },
      judgedAtOnce,
      ...taskOptions,
      {
        ...strict,
        details: 'Also that a task occurs only in the eval, or only in the results.',
      },
      output,
    ],
    examples: [
      { command: 'proctor recheck out.json --eval eval.yaml', does: 'everything recorded' },
      { command: 'proctor recheck out.json --eval eval.yaml --rejudge', does: 'also judges' },
      { command: 'proctor recheck out.json --eval eval.yaml --out new.json', does: 'keeps it' },
      { command: 'proctor recheck record.jsonl --eval eval.yaml -r pod', does: 'a recording' },
    ],
    load: () => import('./commands/recheck.js'),
  },
  {
    name: 'judge-eval',
    summary: 'measure an LLM judge against labelled answers',
    heading: 'Besides',
    description:
      'Asks a judge about answers of which you know whether they are right. Exit code 0: measured, thresholds hold; 1: one is missed, or a case has no verdict; 2: nothing was asked.',
    arguments: [{ name: '<cases>', description: 'File with labelled answers (YAML or JSON)' }],
    options: [
      { flags: '--eval <eval>', description: 'measure the judge of this eval' },
      {
        flags: '--judge <agent>',
        suggestions: currentBuiltins,
        description: 'or this one: builtin type or file',
        details: 'A builtin type such as `llm-agent`, or the path of an agent file.',
      },
      { flags: '--model <model>', description: 'model to use instead' },
      {
        flags: '--votes <n>',
        description: 'ask so often, the majority counts',
        default: '1',
      },
      judgedAtOnce,
      {
        flags: '--min-agreement <r>',
        description: 'least share of right verdicts, such as 0.9',
      },
      { flags: '--min-kappa <r>', description: "least Cohen's kappa, such as 0.6" },
      {
        flags: '--max-false-passes <n>',
        description: 'most wrong answers let through',
        details: 'Also missed if no wrong answer was judged.',
      },
      strict,
      output,
    ],
    examples: [
      { command: 'proctor judge-eval cases.yaml --eval eval.yaml', does: 'judge of an eval' },
      { command: 'proctor judge-eval cases.yaml --judge judge.yaml', does: 'an agent file' },
    ],
    load: () => import('./commands/judge-eval.js'),
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of a kind of file',
    heading: 'Besides',
    description:
      'Prints the JSON Schema (2020-12) of a kind of file (eval, agent, mcp, task, judge-cases, prices or results), for editors and other programs. The same schemas are in the schemas folder of the package.',
    arguments: [
      {
        name: '<kind>',
        description: 'eval, agent, mcp, task, judge-cases, prices or results',
        suggestions: ['eval', 'agent', 'mcp', 'task', 'judge-cases', 'prices', 'results'],
      },
    ],
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
    heading: 'Besides',
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
    heading: 'Besides',
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
  {
    name: 'completion',
    summary: 'print what completes commands in a shell',
    heading: 'Besides',
    description:
      'Prints a script that lets bash, zsh or fish complete commands, options and their values.',
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
