import * as z from 'zod/mini';
import { exampleModels } from '../models.js';
import {
  addDescription,
  anyMap,
  apiVersion,
  commonMetadata,
  environment,
  nonEmptyText,
  optional,
  pattern,
  text,
  textMap,
  useResponsesAPI,
} from './fields.js';
import { withRules } from './schema-rules.js';

/** Agents that need no file of their own. `openai-acp` is an old name of `openai-agent`. */
export const builtinAgents = ['claude-code', 'openai-agent', 'llm-agent', 'openai-acp'] as const;

/** The built-in agents that have no model of their own. */
export const builtinsThatNeedModel = builtinAgents.filter((name) => name !== 'claude-code');

type BuiltinAgent = (typeof builtinAgents)[number];

/** Both ways in which an eval may name a built-in agent. */
export const listEvalSpellings = <Name extends BuiltinAgent>(name: Name) =>
  [`builtin.${name}`, name] as const;

/** The built-in agent that an eval names, with or without `builtin.`; undefined: it is none. */
export function findBuiltin(type: string): BuiltinAgent | undefined {
  return builtinAgents.find((name) =>
    listEvalSpellings(name).some((spelling) => spelling === type),
  );
}

const builtinSchema = z.strictObject({
  type: addDescription(
    z.enum(builtinAgents),
    'Which built-in agent. `openai-acp` is an old name of `openai-agent`.',
  ),
  model: optional(
    nonEmptyText(),
    'Model. Required for `openai-agent`, and as `provider:id` for `llm-agent`.',
    { examples: [`openai:${exampleModels.small}`] },
  ),
  params: optional(
    anyMap(),
    'Settings: `maxSteps` and `system`; for `openai-agent` and `llm-agent` also `temperature`, `topP`, `topK`, `presencePenalty`, `frequencyPenalty`, `maxOutputTokens`, `seed`, `stopSequences` and `stream`.',
    {
      examples: [{ temperature: 0, maxSteps: 20 }],
    },
  ),
  env: environment('Environment variables for the agent.'),
  baseUrl: optional(nonEmptyText(), 'Address of the model API.', {
    examples: ['http://localhost:11434/v1'],
  }),
  apiKey: optional(nonEmptyText(), 'Name of the environment variable that holds the API key.', {
    examples: ['OPENAI_API_KEY'],
  }),
  useResponsesAPI: useResponsesAPI(),
});

const acpSchema = z.strictObject({
  cmd: addDescription(nonEmptyText(), 'Program that speaks the Agent Client Protocol on stdio.', {
    examples: ['gemini'],
  }),
  args: optional(z.array(text()), 'Arguments of the program.', { examples: [['--acp']] }),
  env: environment('Environment variables for the agent.'),
  ambiguousTools: optional(
    z.enum(['allow', 'deny']),
    'The answer when the agent asks to use a tool by its name alone, and several servers have an allowed tool of that name, or it could be a tool of the agent itself that does something.',
    { default: 'deny' },
  ),
});

const commandsSchema = z.strictObject({
  runPrompt: optional(
    nonEmptyText(),
    'Command line that runs the agent; a Go template that sees `.Prompt`, `.McpServerFileArgs` and `.AllowedToolArgs`. Required, except beside `builtin`.',
    { examples: ['my-agent {{ .McpServerFileArgs }} --print "{{ .Prompt }}"'] },
  ),
  argTemplateMcpServer: optional(
    text(),
    'Template for the MCP arguments; sees `.File`, `.URL` and `.ServerName`. Applied per server when it uses `.URL` or `.ServerName`, else once.',
    { examples: ['--mcp-config {{ .File }}'] },
  ),
  argTemplateAllowedTools: optional(
    text(),
    'Template for each allowed tool; sees `.ServerName` and `.ToolName`.',
    { examples: ['mcp__{{ .ServerName }}__{{ .ToolName }}'] },
  ),
  allowedToolsJoinSeparator: optional(text(), 'Stands between the allowed tools.', {
    default: ' ',
  }),
  useVirtualHome: optional(z.boolean(), 'Gives the agent an empty HOME.', { default: false }),
  getVersion: optional(nonEmptyText(), "Command that prints the agent's version.", {
    examples: ['my-agent --version'],
  }),
  env: environment('Environment variables for the agent.'),
  mcpTransport: optional(
    z.enum(['http', 'stdio']),
    'How the agent reaches MCP servers; with `stdio` its config names a program to start for each.',
    { default: 'http' },
  ),
});

const scriptedActionSchema = withRules(
  z.strictObject({
    call: optional(
      z.strictObject({
        server: addDescription(nonEmptyText(), 'Name of the MCP server.', { examples: ['memory'] }),
        tool: addDescription(nonEmptyText(), 'Name of the tool.', { examples: ['read_graph'] }),
        args: optional(
          anyMap(),
          'Arguments of the call. Their texts may quote, as `say` does; a text that is nothing but a quote becomes the value itself, such as a number.',
          { examples: [{ query: 'Grace', id: '{result.items[0].id}' }] },
        ),
      }),
      'Calls a tool.',
    ),
    read: optional(
      z.strictObject({
        server: addDescription(nonEmptyText(), 'Name of the MCP server.', { examples: ['memory'] }),
        uri: addDescription(nonEmptyText(), 'URI of the resource. May quote, as `say` does.', {
          examples: ['docs://readme'],
        }),
      }),
      'Reads a resource.',
    ),
    getPrompt: optional(
      z.strictObject({
        server: addDescription(nonEmptyText(), 'Name of the MCP server.', { examples: ['memory'] }),
        prompt: addDescription(nonEmptyText(), 'Name of the prompt.', { examples: ['summarize'] }),
        args: optional(textMap(), 'Arguments of the prompt. They may quote, as `say` does.', {
          examples: [{ style: 'short' }],
        }),
      }),
      'Fetches a prompt.',
    ),
    say: optional(
      text(),
      'Says a text; the last one is the answer. It may quote: `{prompt}`; `{result}`, the text of the latest result; `{results.2}`, that of the second action; `{result.items[0].id}`, a part of a result that is JSON. A quote of something that is not there ends the agent with an error; other braces mean nothing.',
      { examples: ['Done: {result}'] },
    ),
    fail: optional(text(), 'Ends the agent with this error. It may quote, as `say` does.', {
      examples: ['I give up.'],
    }),
  }),
  { exactlyOne: ['call', 'read', 'getPrompt', 'say', 'fail'] },
);

const scriptedRuleSchema = z.strictObject({
  task: optional(nonEmptyText(), 'Name of the task that the rule is for. None: every task.', {
    examples: ['create-pod'],
  }),
  when: optional(pattern(), 'RE2 pattern for the prompt. None: every prompt.', {
    examples: ['(?i)create a pod'],
  }),
  do: addDescription(
    z.array(scriptedActionSchema).check(z.minLength(1)),
    'What the agent does, in order.',
  ),
});

export const agentSchema = withRules(
  addDescription(
    z.strictObject({
      kind: addDescription(z.literal('Agent'), 'Must be `Agent`.'),
      apiVersion: apiVersion(),
      metadata: optional(
        z.strictObject({
          name: optional(nonEmptyText(), 'Name of the agent. None: the name of the file.', {
            examples: ['claude-code'],
          }),
          version: optional(text(), 'Version of the agent.', { examples: ['2.1.0'] }),
          ...commonMetadata,
        }),
        'What the agent is called.',
      ),
      builtin: optional(builtinSchema, 'An agent that Proctor knows.'),
      acp: optional(acpSchema, 'An agent that speaks the Agent Client Protocol.'),
      commands: optional(
        commandsSchema,
        'Any command line; beside `builtin` it overrides single settings.',
      ),
      scripted: optional(
        z.array(scriptedRuleSchema).check(z.minLength(1)),
        'Rules that are played without any model: the first whose `task` is the name of the task and whose `when` matches the prompt.',
      ),
      skills: optional(
        z.strictObject({
          mountPath: optional(nonEmptyText(), 'Where skills go in the working directory.', {
            examples: ['.claude/skills'],
          }),
          toolName: optional(nonEmptyText(), "The agent's tool that loads a skill.", {
            examples: ['Skill'],
          }),
        }),
        'How the agent takes skills.',
      ),
    }),
    'One way to run an agent: `builtin`, `acp`, `commands` or `scripted`.',
  ),
  {
    jsonSchema: {
      oneOf: [
        { required: ['builtin'] },
        { required: ['acp'] },
        { required: ['scripted'] },
        {
          required: ['commands'],
          not: { required: ['builtin'] },
          properties: { commands: { required: ['runPrompt'] } },
        },
      ],
    },
  },
);

export type AgentData = z.infer<typeof agentSchema>;
