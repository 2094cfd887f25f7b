import { type CommandSpec, commandWords, type OptionSpec } from '../../src/cli/command.js';
import { commands } from '../../src/cli/command-table.js';
import { code, codeBlock, generatedNote, table } from './markdown.js';

/** Variables that apply to every outgoing request. */
const networkVariables: readonly string[][] = [
  [
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map(code).join(', '),
    '[proxies](../networks.md) for outgoing requests; also in lower case',
  ],
  [code('NO_PROXY'), '[what is reached without a proxy](../networks.md); also in lower case'],
  [
    ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].map(code).join(', '),
    'files with additional certificates to trust (PEM)',
  ],
  [code('PROCTOR_CACHE_DIR'), 'where the [cache](../extensions.md#the-cache) is'],
  [code('PROCTOR_GITHUB_API_URL'), 'release API to ask instead of `https://api.github.com`'],
  [
    `${code('GITHUB_TOKEN')}, else ${code('GH_TOKEN')}`,
    'for releases of private repositories, and a higher request limit',
  ],
];

/** Every command with its arguments, options and examples. */
export function cliReference(): string {
  return [
    generatedNote,
    '# Command line\n',
    'Results go to standard output, messages to standard error. Colour is used only on a terminal; `NO_COLOR`, `FORCE_COLOR` and `CI` are respected.\n',
    table(
      ['Command', 'Does'],
      commands.map((spec) => [
        `[${code(`proctor ${commandWords(spec)}`)}](#proctor-${commandWords(spec).replace(' ', '-')})`,
        spec.summary,
      ]),
    ),
    table(
      ['Option of every command', 'Does'],
      [
        [code('-h, --help'), 'show help with examples'],
        [code('-V, --version'), 'print the version (without a command)'],
      ],
    ),
    '## Exit codes\n',
    table(
      ['Code', 'Meaning'],
      [
        ['0', 'everything is fine'],
        ['1', 'something did not pass, or a threshold was missed'],
        ['2', 'invalid files, usage or environment; nothing ran'],
        ['70', 'a bug in Proctor'],
        ['130', 'interrupted'],
      ],
    ),
    '## Environment variables\n',
    table(
      ['Variable', 'Meaning'],
      [
        [
          code('MCP_URL'),
          'MCP server for evals without `mcpConfigFile`; see [MCP config](mcp-config.md)',
        ],
        [
          code('JOB_COMPLETION_INDEX'),
          'number of the shard, from 0, for `--shard N`; [set by Kubernetes](../sharding.md#kubernetes)',
        ],
        [code('NO_COLOR'), 'no colour'],
        [code('FORCE_COLOR'), 'colour also without a terminal'],
        [code('PROCTOR_NO_CODE_CACHE'), 'start without the cache of compiled code'],
        ...networkVariables,
      ],
    ),
    ...commands.map(command),
  ].join('\n');
}

function command(spec: CommandSpec): string {
  const words = commandWords(spec);
  const usage = ['proctor', words, ...spec.arguments.map(({ name }) => name)];
  if (spec.options.length > 0) usage.push('[options]');
  return [
    `## proctor ${words}\n`,
    `${spec.description}\n`,
    ...(spec.group && !spec.isOnlyInGroup ? [`Also \`proctor ${spec.group} ${words}\`.\n`] : []),
    codeBlock('sh', usage.join(' ')),
    table(
      ['Argument', 'Meaning'],
      spec.arguments.map(({ name, description }) => [code(name), description]),
    ),
    ...(spec.options.length > 0 ? [optionTable(spec.options)] : []),
    codeBlock('sh', spec.examples.map(({ command, does }) => `${command}  # ${does}`).join('\n')),
  ].join('\n');
}

function optionTable(options: readonly OptionSpec[]): string {
  return table(
    ['Option', 'Meaning', 'Default'],
    options.map(({ flags, description, details, choices, default: initial }) => [
      code(flags),
      [
        choices ? `${description}: ${choices.map(code).join(', ')}` : description,
        ...(details ? [details] : []),
      ].join('. '),
      initial === undefined ? '' : code(initial),
    ]),
  );
}
