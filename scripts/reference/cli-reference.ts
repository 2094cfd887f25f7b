import { type CommandSpec, commandWords, type OptionSpec } from '../../src/cli/command.js';
import { commands } from '../../src/cli/command-table.js';
import { code, codeBlock, generatedNote, table } from './markdown.js';

/** Of whatever goes out. */
const networkVariables: readonly string[][] = [
  [
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map(code).join(', '),
    '[proxies](../networks.md) for everything that goes out; also in lower case',
  ],
  [code('NO_PROXY'), '[what is reached without a proxy](../networks.md); also in lower case'],
  [
    ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].map(code).join(', '),
    'files with certificates (PEM) to trust besides those that Node.js knows',
  ],
  [code('PROCTOR_CACHE_DIR'), 'where programs of releases are kept, in `proctor/extensions`'],
  [code('PROCTOR_GITHUB_API_URL'), 'release API to ask instead of `https://api.github.com`'],
  [
    `${code('GITHUB_TOKEN')}, else ${code('GH_TOKEN')}`,
    'for releases of private repositories, and a higher limit of requests',
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
        [code('-h, --help'), 'shows help with examples'],
        [code('-V, --version'), 'prints the version (without a command)'],
      ],
    ),
    '## Exit codes\n',
    table(
      ['Code', 'Meaning'],
      [
        ['0', 'everything is fine'],
        ['1', 'something did not pass, or a threshold was missed'],
        ['2', 'the configuration, the call or the environment is wrong, and nothing ran'],
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
          'which shard this is, from 0, for `--shard N`; [Kubernetes sets it](../sharding.md#kubernetes)',
        ],
        [code('NO_COLOR'), 'no colour'],
        [code('FORCE_COLOR'), 'colour also without a terminal'],
        [code('PROCTOR_NO_CODE_CACHE'), 'starts without the cache of compiled code'],
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
