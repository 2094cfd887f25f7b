import { headerValue } from '../mcp/header-value.js';
import { type Message, statelessVersion } from './message.js';

/** Which member of the params goes into Mcp-Name. */
const nameMembers: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * The headers that repeat parts of a stateless request, for those who look at headers only; none for
 * a message of the stateful era.
 */
export function standardHeaders(message: Message): Record<string, string> {
  const version = statelessVersion(message);
  if (version === undefined) return {};
  const name = message.params[nameMembers.get(message.method) ?? ''];
  return {
    'MCP-Protocol-Version': headerValue(version),
    'Mcp-Method': headerValue(message.method),
    ...(typeof name === 'string' && { 'Mcp-Name': headerValue(name) }),
  };
}
