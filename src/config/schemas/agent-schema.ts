import * as z from 'zod';
import {
  anyMap,
  apiVersion,
  commonMetadata,
  environment,
  nonEmptyText,
  pattern,
  text,
  textMap,
} from './fields.js';
import { withRules } from './schema-rules.js';

const builtinSchema = z.strictObject({
  type: z
    .enum(['claude-code', 'openai-agent', 'llm-agent', 'openai-acp'])
    .describe('Which built-in agent. `openai-acp` is an old name of `openai-agent`.'),
  model: nonEmptyText()
    .optional()
    .describe('Model. Required for `openai-agent`, and as `provider:id` for `llm-agent`.')
    .meta({ examples: ['openai:gpt-4'] }),
  params: anyMap()
    .optional()
    .describe('Settings of the model: `temperature`, `maxSteps`, `system`.')
    .meta({ examples: [{ temperature: 0, maxSteps: 20 }] }),
  env: environment('Environment variables for the agent.'),
  baseUrl: nonEmptyText()
    .optional()
    .describe('Address of the model API.')
    .meta({ examples: ['http://localhost:11434/v1'] }),
  apiKey: nonEmptyText()
    .optional()
    .describe('Name of the environment variable that holds the API key.')
    .meta({ examples: ['OPENAI_API_KEY'] }),
});

const acpSchema = z.strictObject({
  cmd: nonEmptyText()
    .describe('Program that speaks the Agent Client Protocol on stdio.')
    .meta({ examples: ['gemini'] }),
  args: z
    .array(text())
    .optional()
    .describe('Arguments of the program.')
    .meta({ examples: [['--acp']] }),
  env: environment('Environment variables for the agent.'),
});

const commandsSchema = z.strictObject({
  runPrompt: nonEmptyText()
    .optional()
    .describe(
      'Command line that runs the agent; a Go template that sees `.Prompt`, `.McpServerFileArgs` and `.AllowedToolArgs`. Required, except beside `builtin`.',
    )
    .meta({ examples: ['my-agent {{ .McpServerFileArgs }} --print "{{ .Prompt }}"'] }),
  argTemplateMcpServer: text()
    .optional()
    .describe(
      'Template for the MCP arguments; sees `.File`, `.URL` and `.ServerName`. Applied per server when it uses `.URL` or `.ServerName`, else once.',
    )
    .meta({ examples: ['--mcp-config {{ .File }}'] }),
  argTemplateAllowedTools: text()
    .optional()
    .describe('Template for each allowed tool; sees `.ServerName` and `.ToolName`.')
    .meta({ examples: ['mcp__{{ .ServerName }}__{{ .ToolName }}'] }),
  allowedToolsJoinSeparator: text()
    .optional()
    .describe('Stands between the allowed tools.')
    .meta({ default: ' ' }),
  useVirtualHome: z
    .boolean()
    .optional()
    .describe('Gives the agent an empty HOME.')
    .meta({ default: false }),
  getVersion: nonEmptyText()
    .optional()
    .describe("Command that prints the agent's version.")
    .meta({ examples: ['my-agent --version'] }),
  env: environment('Environment variables for the agent.'),
  mcpTransport: z
    .enum(['http', 'stdio'])
    .optional()
    .describe('How the agent reaches MCP servers; with `stdio` its config starts `proctor bridge`.')
    .meta({ default: 'http' }),
});

const scriptedActionSchema = withRules(
  z.strictObject({
    call: z
      .strictObject({
        server: nonEmptyText()
          .describe('Name of the MCP server.')
          .meta({ examples: ['memory'] }),
        tool: nonEmptyText()
          .describe('Name of the tool.')
          .meta({ examples: ['read_graph'] }),
        args: anyMap()
          .optional()
          .describe('Arguments of the call.')
          .meta({ examples: [{ query: 'Grace' }] }),
      })
      .optional()
      .describe('Calls a tool.'),
    read: z
      .strictObject({
        server: nonEmptyText()
          .describe('Name of the MCP server.')
          .meta({ examples: ['memory'] }),
        uri: nonEmptyText()
          .describe('URI of the resource.')
          .meta({ examples: ['docs://readme'] }),
      })
      .optional()
      .describe('Reads a resource.'),
    getPrompt: z
      .strictObject({
        server: nonEmptyText()
          .describe('Name of the MCP server.')
          .meta({ examples: ['memory'] }),
        prompt: nonEmptyText()
          .describe('Name of the prompt.')
          .meta({ examples: ['summarize'] }),
        args: textMap()
          .optional()
          .describe('Arguments of the prompt.')
          .meta({ examples: [{ style: 'short' }] }),
      })
      .optional()
      .describe('Fetches a prompt.'),
    say: text()
      .optional()
      .describe('Says a text; the last one is the answer.')
      .meta({ examples: ['Done.'] }),
    fail: text()
      .optional()
      .describe('Ends the agent with this error.')
      .meta({ examples: ['I give up.'] }),
  }),
  { exactlyOne: ['call', 'read', 'getPrompt', 'say', 'fail'] },
);

const scriptedRuleSchema = z.strictObject({
  when: pattern()
    .optional()
    .describe('RE2 pattern for the prompt. None: always.')
    .meta({ examples: ['(?i)create a pod'] }),
  do: z.array(scriptedActionSchema).min(1).describe('What the agent does, in order.'),
});

export const agentSchema = withRules(
  z
    .strictObject({
      kind: z.literal('Agent').describe('Must be `Agent`.'),
      apiVersion: apiVersion().optional(),
      metadata: z
        .strictObject({
          name: nonEmptyText()
            .optional()
            .describe('Name of the agent. None: the name of the file.')
            .meta({ examples: ['claude-code'] }),
          version: text()
            .optional()
            .describe('Version of the agent.')
            .meta({ examples: ['2.1.0'] }),
          ...commonMetadata,
        })
        .optional()
        .describe('What the agent is called.'),
      builtin: builtinSchema.optional().describe('An agent that Proctor knows.'),
      acp: acpSchema.optional().describe('An agent that speaks the Agent Client Protocol.'),
      commands: commandsSchema
        .optional()
        .describe('Any command line; beside `builtin` it overrides single settings.'),
      scripted: z
        .array(scriptedRuleSchema)
        .min(1)
        .optional()
        .describe(
          'Rules that are played without any model: the first whose `when` matches the prompt.',
        ),
      skills: z
        .strictObject({
          mountPath: nonEmptyText()
            .optional()
            .describe('Where skills go in the working directory.')
            .meta({ examples: ['.claude/skills'] }),
          toolName: nonEmptyText()
            .optional()
            .describe("The agent's tool that loads a skill.")
            .meta({ examples: ['Skill'] }),
        })
        .optional()
        .describe('How the agent takes skills.'),
    })
    .describe('One way to run an agent: `builtin`, `acp`, `commands` or `scripted`.'),
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
