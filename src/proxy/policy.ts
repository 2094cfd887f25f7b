import { allowsTool, type McpServer } from '../config/mcp-config-file.js';
import { idText, type Message, resultAnswer, statelessVersion } from './message.js';

/**
 * The answer to a call of a tool that the MCP config does not allow: a tool's own error, which a
 * model reads and can act on. Undefined for everything that may pass.
 */
export function blockedAnswer(server: McpServer, message: Message): string | undefined {
  if (message.kind !== 'request' || message.method !== 'tools/call') return undefined;
  const { name } = message.params;
  if (typeof name !== 'string' ? server.data.enableAllTools : allowsTool(server, name)) {
    return undefined;
  }
  const text = `The tool ${JSON.stringify(name)} is not allowed here: the MCP config allows ${allowed(server)}.`;
  const result = {
    // Every result of the stateless era says what kind it is.
    ...(statelessVersion(message) !== undefined && { resultType: 'complete' }),
    content: [{ type: 'text', text }],
    isError: true,
  };
  return resultAnswer(idText(message), JSON.stringify(result));
}

function allowed({ name, data }: McpServer): string {
  const tools = data.alwaysAllow ?? [];
  return tools.length === 0 ? `no tool of ${name}` : `of ${name} only ${tools.join(', ')}`;
}
