import { McpClient, McpError } from '../../mcp/mcp-client.js';
import type { AgentServer, AgentTask } from '../agent.js';
import type { ModelTool } from './model-tool.js';
import { namedTools, type ToolOfServer, toolsOf } from './server-tools.js';

interface ConnectedServers {
  /** To be closed. */
  servers: McpClient[];
  tools: ModelTool[];
  unusable: { name: string; status: string }[];
}

/** Connects to the servers of a task, and finds what they have for a model. */
export async function connectServers(task: AgentTask): Promise<ConnectedServers> {
  const found = await Promise.all(task.servers.map((server) => connect(server, task)));
  return {
    servers: found.flatMap(({ client }) => client ?? []),
    tools: namedTools(found.flatMap(({ tools }) => tools)),
    unusable: found.flatMap(({ unusable }) => unusable ?? []),
  };
}

interface Found {
  client?: McpClient;
  tools: ToolOfServer[];
  unusable?: { name: string; status: string };
}

async function connect(server: AgentServer, { signal, report }: AgentTask): Promise<Found> {
  let client: McpClient | undefined;
  try {
    client = await McpClient.connect(server.url, { name: 'proctor-llm-agent', signal });
    return { client, tools: await toolsOf(client, server, report) };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const unusable = { name: server.name, status: error.message };
    return { ...(client && { client }), tools: [], unusable };
  }
}
