import { LocalRateLimiter } from '../../limits/local-rate-limiter.js';
import { McpClient, McpError } from '../../mcp/mcp-client.js';
import type { AgentResult, AgentServer, AgentTask } from '../agent.js';
import { Conversation } from './conversation.js';
import { describeModelFailure } from './model-errors.js';
import type { Endpoint, ModelParams } from './model-settings.js';
import { loadModel } from './providers.js';
import { assignToolNames, listServerTools, type ServerTool } from './server-tools.js';
import type { ModelTool } from './tool-calls.js';

/** Gives a task to a model, with the tools of the task's servers. */
export async function runTask(
  task: AgentTask,
  endpoint: Endpoint,
  params: ModelParams,
): Promise<AgentResult> {
  const { signal, report } = task;
  const { servers, tools, unusable } = await connectServers(task);
  try {
    if (signal.aborted) return { end: 'stopped', output: '' };
    const [first] = unusable;
    if (first) {
      const message = `the MCP server ${first.name} could not be used: ${first.status}`;
      const failure = { code: 'not-started', message } as const;
      return { end: 'failed', failure, output: '', unusableServers: unusable };
    }
    const makeModel = await loadModel(endpoint, task.environment);
    const name = { provider: endpoint.provider, model: endpoint.model };
    const turns = task.turns ?? new LocalRateLimiter(() => ({}));
    const isDone = () => task.isDone?.() ?? false;
    const asking = { makeModel, name, turns, params, signal, report };
    const conversation = new Conversation({ ...asking, tools, isDone });
    const end = await runConversation(conversation, task, endpoint);
    const lost = unusable.length > 0 ? { unusableServers: unusable } : {};
    return { ...end, ...conversation.result, ...lost };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

async function runConversation(
  conversation: Conversation,
  { prompt, signal }: AgentTask,
  endpoint: Endpoint,
): Promise<Pick<AgentResult, 'end' | 'failure'>> {
  try {
    await conversation.run(prompt);
    return { end: 'finished' };
  } catch (error) {
    const { unanswered } = conversation;
    if (signal.aborted && unanswered) {
      return { end: 'stopped', failure: describeModelFailure(unanswered, endpoint) };
    }
    if (signal.aborted) return { end: 'stopped' };
    return { end: 'failed', failure: describeModelFailure(error, endpoint) };
  }
}

interface ConnectedServers {
  /** Clients that have to be closed. */
  servers: McpClient[];
  tools: ModelTool[];
  /** Grows when the connection to a server is lost later. */
  unusable: UnusableServer[];
}

interface UnusableServer {
  name: string;
  status: string;
}

/** Connects to the servers of a task, and lists what they offer to a model. */
async function connectServers(task: AgentTask): Promise<ConnectedServers> {
  const found = await Promise.all(task.servers.map((server) => connectServer(server, task)));
  const unusable = found.flatMap((connection) => connection.unusable ?? []);
  const tools = found.flatMap((connection) => connection.tools);
  return {
    servers: found.flatMap(({ client }) => client ?? []),
    tools: assignToolNames(tools.map((tool) => recordLostCalls(tool, unusable))),
    unusable,
  };
}

/** Notes a server as unusable when a call is lost on its way: that says nothing about tool or model. */
function recordLostCalls(tool: ServerTool, unusable: UnusableServer[]): ServerTool {
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

interface Connection {
  client?: McpClient;
  tools: ServerTool[];
  unusable?: UnusableServer;
}

async function connectServer(
  server: AgentServer,
  { signal, report }: AgentTask,
): Promise<Connection> {
  let client: McpClient | undefined;
  try {
    client = await McpClient.connect(server.url, { signal });
    return { client, tools: await listServerTools(client, server, report) };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const unusable = { name: server.name, status: error.message };
    return { ...(client && { client }), tools: [], unusable };
  }
}
