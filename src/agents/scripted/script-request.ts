import type { AgentData } from '../../config/schemas/agent-schema.js';
import type { CallOutcome, McpClient } from '../../mcp/mcp-client.js';
import { JsonArguments } from '../../mcp/rpc-message.js';
import { jsonWithQuotes, type Quotable, withQuotes } from './quotes.js';

type Action = NonNullable<AgentData['scripted']>[number]['do'][number];

/** What an action asks a server for. */
interface ScriptRequest {
  server: string;
  /** For the agent's steps. */
  tool: string;
  /** JSON. */
  args: string;
  send(client: McpClient): Promise<CallOutcome>;
}

/** The request of an action that makes one, with its quotes filled in. Throws QuoteError. */
export function requestOf({ call, read, getPrompt }: Action, quotable: Quotable): ScriptRequest {
  if (call) return callRequest(call, quotable);
  if (read) return readRequest(read, quotable);
  if (getPrompt) return promptRequest(getPrompt, quotable);
  throw new Error('the action was not validated');
}

function callRequest(
  { server, tool, args: given = {} }: NonNullable<Action['call']>,
  quotable: Quotable,
): ScriptRequest {
  const args = jsonWithQuotes(given, quotable);
  const send = (client: McpClient) => client.callTool(tool, new JsonArguments(args));
  return { server, tool: `${server}.${tool}`, args, send };
}

function readRequest(
  { server, uri: given }: NonNullable<Action['read']>,
  quotable: Quotable,
): ScriptRequest {
  const uri = withQuotes(given, quotable);
  const send = (client: McpClient) => client.readResource(uri);
  return { server, tool: `${server}.resources/read`, args: JSON.stringify({ uri }), send };
}

function promptRequest(
  { server, prompt: name, args: given = {} }: NonNullable<Action['getPrompt']>,
  quotable: Quotable,
): ScriptRequest {
  const filledIn = Object.fromEntries(
    Object.entries(given).map(([key, text]) => [key, withQuotes(text, quotable)]),
  );
  const args = JSON.stringify({ name, arguments: filledIn });
  const send = (client: McpClient) => client.getPrompt(name, filledIn);
  return { server, tool: `${server}.prompts/get`, args, send };
}
