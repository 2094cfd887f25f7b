import { readFileSync } from 'node:fs';
import path from 'node:path';
import { agentKeys } from '../../src/config/agent-kinds.js';
import { exampleModels } from '../../src/config/models.js';
import {
  type AssertionDefinition,
  assertionDefinitions,
} from '../../src/config/schemas/assertions-schema.js';
import { type StepDefinition, stepDefinitions } from '../../src/config/schemas/step-schemas.js';
import { listPrices, pricesAsOf } from '../../src/prices/prices.js';
import type { SchemaKind } from '../../src/results/schema/json-schemas.js';
import { code, table } from './markdown.js';

/** A reference page: what the schema cannot say stands here. */
export interface Page {
  file: string;
  title: string;
  kind: SchemaKind;
  /** Definitions of the schema, if the page is not about the whole file; the first is its subject. */
  definitions?: readonly string[];
  introduction: string;
  example?: string;
  closing?: string;
}

const root = path.resolve(import.meta.dirname, '../..');

const example = (name: string) =>
  readFileSync(path.join(root, 'examples/quickstart', name), 'utf8').replace(/^#.*schema=.*\n/, '');

const commonRules = `
Files are YAML 1.2 (core schema) or JSON, in UTF-8, up to 512 KiB. Relative paths start at the folder
of the file that names them. Unknown keys are warnings (errors with \`--strict\`); in assertions they
are always errors. An empty key means the same as a missing one, except in assertions.
`.trim();

function priceRows(): string {
  const rows = Object.entries(listPrices).flatMap(([provider, entries]) =>
    entries.flatMap(({ names, prices }) =>
      prices.flatMap(({ from, price, long }) => {
        const models = names.map((name) => code(`${provider}:${name}`)).join(', ');
        const since = from === undefined ? '' : `, from ${from}`;
        const tokens = long?.above.toLocaleString('en');
        return [
          { model: `${models}${since}`, price },
          ...(long
            ? [{ model: `the same${since}, above ${tokens} tokens`, price: long.price }]
            : []),
        ];
      }),
    ),
  );
  return table(
    ['Model', 'Input', 'Cached input', 'Cache write', 'Output'],
    rows.map(({ model, price: { input, cachedInput = input, cacheWrite = input, output } }) => [
      model,
      ...[input, cachedInput, cacheWrite, output].map((dollars) => `$${dollars}`),
    ]),
  );
}

const assertions = Object.entries<AssertionDefinition>(assertionDefinitions);

function listVacuousValues(): string {
  return assertions
    .flatMap(([name, { vacuousValue }]) =>
      vacuousValue === undefined ? [] : [code(`${name}: ${vacuousValue}`)],
    )
    .join(', ');
}

/** Lists the assertions about tool calls that require calls, or the others. */
function listToolAssertions(doRequireCalls: boolean): string {
  const names = assertions.flatMap(([name, { items, requiresCalls = false }]) =>
    (items?.kind ?? 'tool') === 'tool' && requiresCalls === doRequireCalls ? [code(name)] : [],
  );
  return new Intl.ListFormat('en-GB').format(names);
}

function listOutputs(): string {
  const names = { mcpServer: 'an MCP tool', extension: 'an extension' };
  return Object.entries<StepDefinition>(stepDefinitions)
    .filter(([, { outputs }]) => outputs?.length !== 0)
    .map(([type, { outputs }]) => {
      const name = Object.hasOwn(names, type) ? names[type as keyof typeof names] : code(type);
      return `${name} has ${outputs?.map(code).join(', ') ?? 'its own'}`;
    })
    .join('; ');
}

export const pages: readonly Page[] = [
  {
    file: 'eval.md',
    title: 'Eval file',
    kind: 'eval',
    introduction: `
An Eval file ties together an agent, MCP servers and tasks.

${commonRules}

A task that several task sets match runs once; the assertions of all of them apply, and the highest
\`runs\`. A glob skips files whose \`kind\` is not Task, and names that start with a dot unless the glob
has the dot.

The number of runs is the first of \`--runs\`, the task's \`runs\`, the task set's \`runs\`, and 1. For the
order of time limits, see [Limits](../limits.md#time-limits).`,
    example: example('eval.yaml'),
  },
  {
    file: 'assertions.md',
    title: 'Assertions',
    kind: 'eval',
    definitions: [
      'assertions',
      'toolItem',
      'forbiddenToolItem',
      'callResult',
      'resourceItem',
      'promptItem',
      'callOrderItem',
      'skillItem',
    ],
    introduction: `
Assertions are conditions on the agent's recorded calls ([guide](../assertions-guide.md)). They belong to
a task set of an [Eval file](eval.md) or to a [Task file](task.md); if several apply, all must hold.
Calls of setup, verify and cleanup steps do not count.

An unknown key or an empty list is an error. ${listVacuousValues()} and an empty \`assertions\` are allowed
but check nothing.`,
    closing: `
## Patterns

Patterns are in [RE2 syntax](https://github.com/google/re2/wiki/Syntax) as Go reads it, and unanchored:
\`pods_\` matches \`list_pods_all\`. \`(?i)\` at the start ignores case. There is no lookaround and there are
no backreferences; matching takes linear time.

## Arguments

In \`args\`, a map may have other keys, at every level. Lists are compared item by item.
\`noDuplicateCalls\` compares arguments as JSON values: the order of keys does not matter, and no arguments
are the same as \`{}\`.

## Blocked calls

A tool call that the MCP config does not allow is blocked. It counts for ${listToolAssertions(false)}: the agent tried.
It does not count for ${listToolAssertions(true)}: nothing happened.
Requiring a tool that the MCP config does not allow is an error.

For calls that fail, see [the guide](../assertions-guide.md#failed-and-blocked-calls).`,
  },
  {
    file: 'agent.md',
    title: 'Agent file',
    kind: 'agent',
    introduction: `
An Agent file says how to run an agent, in one of these ways:
${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(agentKeys.map(code))}. An eval names it with \`agent: {type: file, path}\`.

${commonRules}`,
    example: `kind: Agent
metadata:
  name: my-agent
commands:
  argTemplateMcpServer: "--mcp-config {{ .File }}"
  argTemplateAllowedTools: "mcp__{{ .ServerName }}__{{ .ToolName }}"
  runPrompt: |
    my-agent {{ .McpServerFileArgs }} --allow "{{ .AllowedToolArgs }}" --print "{{ .Prompt }}"
`,
    closing: `
## Templates

Command templates use a part of Go's text/template: \`{{ .Field }}\`, trim markers, \`printf\` with \`%q\`,
\`%s\` and \`%v\`, \`if\` / \`else\` / \`end\`. [How the prompt stays data](../agents.md#any-command-line).`,
  },
  {
    file: 'mcp-config.md',
    title: 'MCP config file',
    kind: 'mcp',
    introduction: `
The MCP servers under evaluation, in the shape that other MCP clients use.

${commonRules}

\`\${VAR}\` and \`\${VAR:-default}\` are expanded in every string. A variable without a value and a default
is an error, except in disabled servers.`,
    example: example('mcp-config.yaml'),
    closing: `
## Without a file

If an eval has no \`mcpConfigFile\`, environment variables can define one server:

| Variable | Meaning |
| --- | --- |
| \`MCP_URL\` | address of an HTTP server |
| \`MCP_HOST\`, \`MCP_PORT\`, \`MCP_PATH\` | its parts, instead; defaults: \`localhost\` and \`/mcp\` |
| \`MCP_HEADERS\` | JSON object of headers |
| \`MCP_COMMAND\` | program of a stdio server, instead of an address |
| \`MCP_ARGS\` | its arguments, as a JSON array or separated by commas |
| \`MCP_ENV\` | JSON object of environment variables for it |
| \`MCP_SERVER_NAME\` | name of the server; default: \`default\` |
| \`MCP_ENABLE_ALL_TOOLS\` | \`true\` (default) or \`false\` |

A file overrides the environment, and \`--mcp-config-file\` overrides both.`,
  },
  {
    file: 'task.md',
    title: 'Task file',
    kind: 'task',
    introduction: `
A Task file says what the agent is asked to do and how the outcome is verified. There are two shapes:
lists of steps under \`spec\` (\`proctor/v1\` and v1alpha2), and the older form, one script per phase
under \`steps\` (v1alpha1). Without an \`apiVersion\`, the key decides.

${commonRules}

A task needs verify steps or assertions, its own or those of a task set.`,
    example: example('tasks/hard/merge-green-tea.yaml'),
  },
  {
    file: 'steps.md',
    title: 'Steps',
    kind: 'task',
    definitions: ['step', 'mcpToolStep'],
    introduction: `
Steps belong to \`setup\`, \`verify\` and \`cleanup\` of a [Task file](task.md) ([guide](../verification.md)). A step
is a map with one key, its type, and optionally \`id\`, \`continueOnError\` and \`timeout\`.

A \`<prefix>.<name>\` step calls an MCP server's tool, or runs an extension's operation. The prefix is a
name from the task's \`requires\`, or the name of an MCP server.`,
    example: `verify:
  - script:
      inline: kubectl get pod web
  - http:
      url: http://localhost:8080/pods/web
      expect:
        status: 200
        body:
          fields:
            - path: status.phase
              equals: Running
  - kubernetes.pods_get:
      args: { name: web }
      expect:
        content:
          match: Running
  - llmJudge:
      contains: The pod is running
`,
    closing: `
## Placeholders

Strings in steps and the prompt may contain placeholders. One that cannot be resolved is an error; other
braces are left alone. A script's body is never templated: pass values through its \`env\`.

| Placeholder | Meaning |
| --- | --- |
| \`{steps.<id or type>.<output>}\` | output of an earlier step; of several of one type, the latest |
| \`{agent.output}\`, \`{agent.prompt}\` | the agent's answer and prompt, after it has run |
| \`{random.id}\`, \`{random.port}\` | random, the same throughout a task run |
| \`{env.NAME}\` | environment variable; it must be set |
| \`{task.name}\` | name of the task |

Outputs: ${listOutputs()}.

In which order steps run, and what happens if one fails: see [A task run](../running-checks.md#a-task-run).`,
  },
  {
    file: 'judge-cases.md',
    title: 'Judge cases file',
    kind: 'judge-cases',
    definitions: ['judgeCase'],
    introduction: `
Labelled answers that \`proctor judge-eval\` measures a judge against: a list, in YAML 1.2 or JSON, in
UTF-8, up to 512 KiB. An empty list is an error. If all cases have the same label, that is a warning: a
judge that always says so would look perfect. Placeholders are not replaced. How to choose cases: see the
[guide](../judging.md#can-the-judge-be-trusted).`,
    example: readFileSync(path.join(root, 'examples/judge-eval/cases.yaml'), 'utf8')
      .replace(/^#.*schema=.*\n/, '')
      .split('\n\n')
      .slice(0, 2)
      .join('\n\n')
      .concat('\n'),
  },
  {
    file: 'prices.md',
    title: 'Prices file',
    kind: 'prices',
    introduction: `
Prices of models in US dollars per million tokens, for \`proctor check --prices\` or \`config.prices\` of an
[Eval file](eval.md). They override the prices that Proctor knows, below. How Proctor computes costs: see the
[guide](../budgets.md#what-it-costs).

${commonRules}

A model is named as \`provider:id\`, as for an \`llm-agent\`. The models of an \`openai-agent\` are those of
\`openai\` if it asks OpenAI itself, and otherwise those of \`openai-compatible\`. An id without a date also
stands for the same id with one (\`${exampleModels.small}-2026-09-22\`), but not for similar names.`,
    example: `models:
  openai-compatible:qwen3-32b: { input: 0.1, output: 0.4 }
  openai:${exampleModels.small}:
    input: 0.1
    cachedInput: 0.01
    cacheWrite: 0.125
    output: 0.5
`,
    closing: `
## Prices that Proctor knows

As of ${pricesAsOf}, from [genai-prices](https://github.com/pydantic/genai-prices) (MIT licence, Copyright (c)
2025 to present Pydantic Services Inc.). List prices of requests that are answered at once. Above the input size in a
row, its price applies to the whole request. A price with a date applies from that day on, in UTC.

${priceRows()}`,
  },
  {
    file: 'results.md',
    title: 'Results file',
    kind: 'results',
    introduction: `
The output of \`proctor check\`: every task run that has a verdict, with its evidence. It is made from the
[journal](journal.md), which also has every message. \`seq\` and \`evidence\` are numbers of events there.

JSON in UTF-8, one task run per line. Fields may be added; existing ones keep their meaning as long as
\`schema\` is the same. Arguments, results and errors of calls are as sent, except that \`[redacted:NAME]\`
replaces secrets. The JSON Schema is \`schemas/results.schema.json\` in the package, or
\`proctor schema results\`.`,
  },
];
