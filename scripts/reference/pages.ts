import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exampleModels } from '../../src/config/models.js';
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
of the file that names them. Keys that mean nothing are warnings (errors with \`--strict\`); in
assertions they are always errors. A key that is left empty means the same as one that is left out,
except in assertions.
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

export const pages: readonly Page[] = [
  {
    file: 'eval.md',
    title: 'Eval file',
    kind: 'eval',
    introduction: `
An Eval file ties together an agent, MCP servers and tasks.

${commonRules}

A task that several task sets match runs once, and the assertions of all of them apply. Files that a
glob matches and whose \`kind\` is not Task are passed over, and so are names that start with a dot
unless the glob has the dot. Of several sets that ask for \`runs\`, the
one that asks for the most counts.

Limits, highest first: \`--task-timeout\`, the task's own, \`--default-task-timeout\`,
\`defaultTaskLimits\`; cleanup likewise. Runs: \`--runs\`, the task's, the task set's, 1.`,
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
Assertions say how the agent must have gone about a task, by the calls that were recorded. They stand
in a task set of an [Eval file](eval.md) or in a [Task file](task.md); where several apply, all must
hold. Only calls of the agent count, never those of setup, verify and cleanup steps.

An unknown key is an error here, and so is an empty list: it would check nothing. \`minToolCalls: 0\`,
\`noDuplicateCalls: false\` and an empty \`assertions\` are allowed but cover nothing.`,
    closing: `
## Patterns

Patterns are in [RE2 syntax](https://github.com/google/re2/wiki/Syntax) as Go reads it, and unanchored:
\`pods_\` matches \`list_pods_all\`. \`(?i)\` at the start ignores case. There is no lookaround and there are
no backreferences; matching takes linear time.

## Calls that were blocked

A call to a tool that the MCP config does not allow never reaches the server. It counts for
\`toolsNotUsed\`, \`maxToolCalls\`, \`maxToolErrors\` and \`noDuplicateCalls\` (the agent tried), and not for \`toolsUsed\`,
\`requireAny\`, \`minToolCalls\` and \`callOrder\` (nothing happened). Requiring such a tool is an error.

## Arguments

In \`args\`, maps are contained deeply: other keys may be there too. Lists are compared item by item.
\`noDuplicateCalls\` compares arguments as JSON values: the order of keys does not matter, and none is
the same as \`{}\`.`,
  },
  {
    file: 'agent.md',
    title: 'Agent file',
    kind: 'agent',
    introduction: `
An Agent file says how an agent is run, in one of four ways: \`builtin\`, \`acp\`, \`commands\` or
\`scripted\`. An eval names it with \`agent: {type: file, path}\`.

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

Command templates are the part of Go's text/template that suites use: \`{{ .Field }}\`, trim markers,
\`printf\` with \`%q\`, \`%s\` and \`%v\`, \`if\` / \`else\` / \`end\`.

The prompt always arrives as data. Where the template puts \`{{ .Prompt }}\` bare, inside double or
inside single quotes, it becomes a reference to an environment variable that is quoted for that place.
It must be an argument of a program in a simple command; \`proctor validate\` refuses it where a shell
could execute it, or where that cannot be ruled out (\`$(...)\`, a here-document, an assignment,
\`bash -c "..."\`, \`eval\`): read it from the file that PROCTOR_PROMPT_FILE names, or from the variable
PROCTOR_PROMPT.`,
  },
  {
    file: 'mcp-config.md',
    title: 'MCP config file',
    kind: 'mcp',
    introduction: `
The MCP servers under evaluation, in the shape that other MCP clients use.

${commonRules}

\`\${VAR}\` and \`\${VAR:-default}\` are expanded in every string. A variable that is not set and has no
default is an error that names it; disabled servers do not count.`,
    example: example('mcp-config.yaml'),
    closing: `
## Without a file

If an eval has no \`mcpConfigFile\`, one server can be given by environment variables:

| Variable | Meaning |
| --- | --- |
| \`MCP_URL\` | address of an HTTP server |
| \`MCP_HOST\`, \`MCP_PORT\`, \`MCP_PATH\` | its parts, instead; \`localhost\` and \`/mcp\` if not set |
| \`MCP_HEADERS\` | JSON object of headers |
| \`MCP_COMMAND\` | program of a stdio server, instead of an address |
| \`MCP_ARGS\` | its arguments, as JSON array or with commas between them |
| \`MCP_ENV\` | JSON object of environment variables for it |
| \`MCP_SERVER_NAME\` | name of the server; \`default\` if not set |
| \`MCP_ENABLE_ALL_TOOLS\` | \`true\` (if not set) or \`false\` |

A file wins over the environment, and \`--mcp-config-file\` over both.`,
  },
  {
    file: 'task.md',
    title: 'Task file',
    kind: 'task',
    introduction: `
A Task file says what the agent is asked to do and how the outcome is verified. There are two shapes:
lists of steps under \`spec\` (\`proctor/v1\` and v1alpha2), and the older one script per phase under
\`steps\` (v1alpha1). Without an \`apiVersion\`, the key that is there decides.

${commonRules}

A task must be checked by something: verify steps, or assertions of its own or of a task set.`,
    example: example('tasks/hard/merge-green-tea.yaml'),
  },
  {
    file: 'steps.md',
    title: 'Steps',
    kind: 'task',
    definitions: ['step', 'mcpToolStep'],
    introduction: `
Steps stand in \`setup\`, \`verify\` and \`cleanup\` of a [Task file](task.md). A step is a map with one key,
its type, and optionally \`id\`, \`continueOnError\` and \`timeout\`.

A \`<prefix>.<name>\` step calls a tool of an MCP server or runs an operation of an extension. The prefix
is a name that the task's \`requires\` gives, or the name of an MCP server.`,
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

Strings in steps and the prompt may hold placeholders. One that cannot be resolved is an error; other
braces are left alone. The body of a script is never templated: hand values over through its \`env\`.

| Placeholder | Meaning |
| --- | --- |
| \`{steps.<id or type>.<output>}\` | output of a step before; of several steps of one type the latest |
| \`{agent.output}\`, \`{agent.prompt}\` | answer and prompt of the agent, after it has run |
| \`{random.id}\`, \`{random.port}\` | random, and stable within a task run |
| \`{env.NAME}\` | environment variable; it must be set |
| \`{task.name}\` | name of the task |

Outputs: \`script\` has \`stdout\`, \`stderr\`, \`exitCode\`; \`http\` has \`status\`, \`body\`; an MCP tool has
\`content\`, \`structuredContent\`, \`isError\`; an extension has its own.

## Order

Setup stops at its first failure, and then the agent does not run. Verify runs every step, and all must
pass. Cleanup runs always, every step of it.`,
  },
  {
    file: 'judge-cases.md',
    title: 'Judge cases file',
    kind: 'judge-cases',
    definitions: ['judgeCase'],
    introduction: `
Labelled answers that \`proctor judge-eval\` measures a judge against: a list, in YAML 1.2 or JSON, in
UTF-8, up to 512 KiB. An empty list is an error, as nothing would be measured. If all cases have the same
label, that is a warning: a judge that always says so would look perfect. Placeholders mean nothing here.
How to choose cases is told in the [guide](../judging.md#can-the-judge-be-trusted).`,
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
What models cost, for \`proctor check --prices\` or \`config.prices\` of an [Eval file](eval.md): in US dollars
for a million tokens. It counts before the prices that Proctor knows, which stand below. How costs come
about is told in the [guide](../budgets.md#what-it-costs).

${commonRules}

A model is named as \`provider:id\`, as for an \`llm-agent\`. The models of an \`openai-agent\` are those of
\`openai\` if it asks OpenAI itself, and otherwise those of \`openai-compatible\`. An id without a date also
stands for the same id with one (\`${exampleModels.small}-2026-09-22\`), and nothing else: a price for a model that is
only called alike would be worse than none.`,
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
2025 to present Pydantic Services Inc.). List prices of requests that are answered at once. Where long requests cost
more, all of a request does that has more input than the row says. A price with a day counts from that day on, in UTC.

${priceRows()}`,
  },
  {
    file: 'results.md',
    title: 'Results file',
    kind: 'results',
    introduction: `
What comes out of \`proctor check\`: every task run that has a verdict, with its evidence. It is made
from the [journal](journal.md), which has more: every message, and how things happened one after the
other. \`seq\` and \`evidence\` are the numbers of events there.

JSON in UTF-8, one task run on each line. Fields may be added; those that are there keep their
meaning as long as \`schema\` is the same. Arguments, results and errors of calls are what came over
the wire, without secrets: those are replaced by \`[redacted:NAME]\`. The JSON Schema is
\`schemas/results.schema.json\` in the package, or \`proctor schema results\`.`,
  },
];
