import * as z from 'zod';
import { duration, environment, nonEmptyText, text, textMap } from './fields.js';
import { withRules } from './schema-rules.js';

export const mcpServerSchema = withRules(
  z.strictObject({
    type: z
      .enum(['http', 'stdio', 'sse'])
      .optional()
      .describe('Transport. Inferred from `url` (http) or `command` (stdio).'),
    url: nonEmptyText()
      .optional()
      .describe('Address of an HTTP server.')
      .meta({ examples: ['http://localhost:8080/mcp'] }),
    headers: textMap()
      .optional()
      .describe('Headers sent to an HTTP server. Agents never see them.')
      .meta({ examples: [{ Authorization: 'Bearer ${TOKEN}' }] }),
    command: nonEmptyText()
      .optional()
      .describe('Program of a stdio server.')
      .meta({ examples: ['npx'] }),
    args: z
      .array(text())
      .optional()
      .describe('Arguments of the program.')
      .meta({ examples: [['-y', '@modelcontextprotocol/server-memory']] }),
    env: environment('Environment variables, on top of the environment Proctor runs in.'),
    cwd: nonEmptyText()
      .optional()
      .describe('Working directory of the program. None: the current directory.')
      .meta({ examples: ['servers/memory'] }),
    disabled: z.boolean().optional().describe('Leaves the server out.').meta({ default: false }),
    alwaysAllow: z
      .array(nonEmptyText())
      .optional()
      .describe('Tools that the agent may call.')
      .meta({ examples: [['read_graph', 'search_nodes']] }),
    enableAllTools: z
      .boolean()
      .optional()
      .describe('The agent may call every tool.')
      .meta({ default: false }),
    scope: z
      .enum(['task', 'run', 'session'])
      .optional()
      .describe(
        'How long one connection lives: a task run, the whole evaluation, or an agent session.',
      )
      .meta({ default: 'task' }),
    startupTimeout: duration().optional().describe('How long the server may take to start.'),
  }),
  { exactlyOne: ['url', 'command'] },
);

export const mcpConfigSchema = z
  .strictObject({
    mcpServers: z
      .record(z.string(), mcpServerSchema)
      .describe('The servers by name, in the shape other MCP clients use.'),
  })
  .describe(
    'The MCP servers under evaluation. `${VAR}` and `${VAR:-default}` are expanded in every string.',
  );

export type McpConfigData = z.infer<typeof mcpConfigSchema>;
export type McpServerData = z.infer<typeof mcpServerSchema>;
