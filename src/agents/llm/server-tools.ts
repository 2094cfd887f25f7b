import type { JSONSchema7 } from '@ai-sdk/provider';
import type { McpClient, McpTool } from '../../mcp/mcp-client.js';
import type { AgentServer, AgentTask } from '../agent.js';
import { contextTools } from './context-tools.js';
import type { ModelTool } from './model-tool.js';
import { isDeeperThan } from './nesting.js';
import { nameTools } from './tool-names.js';

/** A tool before it has the name that the model is told. */
export interface ToolOfServer extends ModelTool {
  server: string;
  /** Ours: the server's tools choose their names first. */
  isHelper: boolean;
}

/** More than any schema that people write; model APIs take less. */
const maxSchemaDepth = 100;

/** The tools that the model may call, and those that give it resources and prompts. */
export async function toolsOf(
  client: McpClient,
  { name: server, allowedTools }: AgentServer,
  report: AgentTask['report'],
): Promise<ToolOfServer[]> {
  const listed = await client.listTools();
  const allowed = listed.filter(({ name }) => allowedTools.includes(name));
  const helpers = await contextTools(client, server, report);
  return [
    ...allowed.map((tool) => ({ ...toolOf(client, tool), server, isHelper: false })),
    ...helpers.map((tool) => ({ ...tool, server, isHelper: true })),
  ];
}

/** With names that the model APIs take and that no two have. */
export function namedTools(tools: readonly ToolOfServer[]): ModelTool[] {
  const inOrder = [
    ...tools.filter(({ isHelper }) => !isHelper),
    ...tools.filter(({ isHelper }) => isHelper),
  ];
  const names = nameTools(inOrder);
  return inOrder.map((tool, index) => ({ ...tool, name: names[index] ?? tool.name }));
}

function toolOf(client: McpClient, { name, description = '', inputSchema }: McpTool): ModelTool {
  return {
    name,
    description,
    schema: schemaOf(inputSchema),
    call: ({ text }, signal) => client.callTool(name, text, { signal }),
  };
}

function schemaOf(schema: unknown): JSONSchema7 {
  const isUsable = typeof schema === 'object' && schema !== null && !Array.isArray(schema);
  if (!isUsable || isDeeperThan(maxSchemaDepth, schema)) return { type: 'object' };
  return { ...schema, type: 'object' };
}
