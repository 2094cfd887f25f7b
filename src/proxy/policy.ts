import { findMembers, readTextAt } from '../base/json-text.js';
import { allowsTool, listAllowedTools, type McpServer } from '../config/files/mcp-config-file.js';
import {
  formatResultAnswer,
  type Message,
  readIdText,
  readStatelessVersion,
} from '../mcp/message.js';

/** Whether a message calls a tool that the MCP config does not allow. */
export function isBlocked(server: McpServer, { method, params: { name } }: Message): boolean {
  if (method !== 'tools/call' || listAllowedTools(server.data) === undefined) return false;
  return typeof name !== 'string' || !allowsTool(server, name);
}

/** A tool's own error, which a model reads and can act on. */
export function formatBlockedAnswer(server: McpServer, message: Message): string {
  const { name } = message.params;
  const tool =
    typeof name === 'string' ? `The tool ${JSON.stringify(name)}` : 'A tool without name';
  const text = `${tool} is not allowed here: the MCP config allows ${describeAllowed(server)}.`;
  const result = {
    // Every result of the stateless era says what kind it is.
    ...(readStatelessVersion(message) !== undefined && { resultType: 'complete' }),
    content: [{ type: 'text', text }],
    isError: true,
  };
  return formatResultAnswer(readIdText(message), JSON.stringify(result));
}

function describeAllowed({ name, data }: McpServer): string {
  const tools = listAllowedTools(data) ?? [];
  return tools.length === 0 ? `no tool of ${name}` : `of ${name} only ${tools.join(', ')}`;
}

/**
 * Whether a server might read a message in another way than we do: a key that decides about the
 * policy is there twice, and not every reader of JSON takes the last one, or minds upper case.
 */
export function isAmbiguous({ data }: McpServer, { text }: Message): boolean {
  if (listAllowedTools(data) === undefined) return false;
  const params = readTextAt(text, ['params']);
  return (
    hasDuplicate(text, decisive) || (params !== undefined && hasDuplicate(params, decisiveParams))
  );
}

const decisive: ReadonlySet<string> = new Set(['method', 'params', 'id']);
const decisiveParams: ReadonlySet<string> = new Set(['name']);

function hasDuplicate(text: string, keys: ReadonlySet<string>): boolean {
  const seen = new Set<string>();
  for (const { key } of findMembers(text)) {
    // Both ways: some letters have an upper case that they share with others.
    const folded = key.toUpperCase().toLowerCase();
    if (keys.has(folded) && seen.has(folded)) return true;
    seen.add(folded);
  }
  return false;
}
