import * as z from 'zod/mini';
import {
  addDescription,
  duration,
  environment,
  nonEmptyText,
  optional,
  text,
  textMap,
} from './fields.js';
import { withRules } from './schema-rules.js';

export const mcpServerSchema = withRules(
  z.strictObject({
    type: optional(
      z.enum(['http', 'stdio', 'sse']),
      'Transport. Inferred from `url` (http) or `command` (stdio).',
    ),
    url: optional(nonEmptyText(), 'Address of an HTTP server.', {
      examples: ['http://localhost:8080/mcp'],
    }),
    headers: optional(textMap(), 'Headers sent to an HTTP server. Agents never see them.', {
      examples: [{ Authorization: 'Bearer ${TOKEN}' }],
    }),
    command: optional(nonEmptyText(), 'Program of a stdio server.', { examples: ['npx'] }),
    args: optional(z.array(text()), 'Arguments of the program.', {
      examples: [['-y', '@modelcontextprotocol/server-memory']],
    }),
    env: environment('Environment variables, on top of the environment Proctor runs in.'),
    cwd: optional(
      nonEmptyText(),
      'Working directory of the program, from the folder of this file. None: the current directory.',
      { examples: ['servers/memory'] },
    ),
    disabled: optional(z.boolean(), 'Leaves the server out.', { default: false }),
    alwaysAllow: optional(
      z.array(nonEmptyText()),
      'The only tools that the agent may call. Other calls are blocked.',
      { examples: [['read_graph', 'search_nodes']] },
    ),
    enableAllTools: optional(
      z.boolean(),
      'The agent may call every tool. Without it, `alwaysAllow` counts; without both, every tool is allowed.',
      { examples: [true] },
    ),
    scope: optional(
      z.enum(['task', 'run', 'session']),
      'How long a connection lives: a task run, the whole run, or an agent session.',
      { default: 'task' },
    ),
    startupTimeout: optional(duration(), 'How long the server may take to start.'),
  }),
  { exactlyOne: ['url', 'command'] },
);

export const mcpConfigSchema = addDescription(
  z.strictObject({
    mcpServers: addDescription(
      z.record(z.string(), mcpServerSchema),
      'The servers by name, in the shape other MCP clients use.',
    ),
  }),
  'The MCP servers under evaluation. `${VAR}` and `${VAR:-default}` are expanded in every string. In `command`, `args`, `env`, `cwd`, `url` and `headers`, `${PROCTOR_WORKDIR}`, `{random.id}` and `{random.port}` stand for values of the task run: see [A server with state](../server-with-state.md).',
);

export type McpConfigData = z.infer<typeof mcpConfigSchema>;
export type McpServerData = z.infer<typeof mcpServerSchema>;
