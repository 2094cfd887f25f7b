import { McpClient, McpError } from '../../mcp/mcp-client.js';
import type { AgentServer, AgentTask } from '../agent.js';
import type { ModelTool } from './model-tool.js';
import { namedTools, type ToolOfServer, toolsOf } from './server-tools.js';

interface ConnectedServers {
  /** To be closed. */
  servers: McpClient[];
  tools: ModelTool[];
  /** Grows when the connection to one is lost later. */
  unusable: UnusableServer[];
}

interface UnusableServer {
  name: string;
  status: string;
}

/** Connects to the servers of a task, and finds what they have for a model. */
export async function connectServers(task: AgentTask): Promise<ConnectedServers> {
  const found = await Promise.all(task.servers.map((server) => connect(server, task)));
  const unusable = found.flatMap((each) => each.unusable ?? []);
  const tools = found.flatMap((each) => each.tools);
  return {
    servers: found.flatMap(({ client }) => client ?? []),
    tools: namedTools(tools.map((tool) => noticing(tool, unusable))),
    unusable,
  };
}

/** A call that was lost on its way says nothing about the tool, nor about the model. */
function noticing(tool: ToolOfServer, unusable: UnusableServer[]): ToolOfServer {
  return {
    ...tool,
    async call(args, signal) {
      const outcome = await tool.call(args, signal);
      const isKnown = unusable.some(({ name }) => name === tool.server);
      if (outcome.isLost && !isKnown) unusable.push({ name: tool.server, status: outcome.text });
      return outcome;
    },
  };
}

interface Found {
  client?: McpClient;
  tools: ToolOfServer[];
  unusable?: UnusableServer;
}

async function connect(server: AgentServer, { signal, report }: AgentTask): Promise<Found> {
  let client: McpClient | undefined;
  try {
    client = await McpClient.connect(server.url, { signal });
    return { client, tools: await toolsOf(client, server, report) };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const unusable = { name: server.name, status: error.message };
    return { ...(client && { client }), tools: [], unusable };
  }
}
