import { isObject } from '../base/json.js';
import type { WarningCode } from '../events/warning-codes.js';
import { encodeHeaderValue, findHeaderFault } from '../mcp/mcp-headers.js';
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
    'MCP-Protocol-Version': encodeHeaderValue(version),
    'Mcp-Method': encodeHeaderValue(message.method),
    ...(typeof name === 'string' && { 'Mcp-Name': encodeHeaderValue(name) }),
  };
}

/** Warns of the tools in a list that agents do not see: nothing else would say why. */
export function warnOfFaultyTools(
  { text, value: { result } }: Message,
  warn: (code: WarningCode, message: string) => void,
): void {
  if (!text.includes('x-mcp-header') || !isObject(result) || !Array.isArray(result.tools)) return;
  for (const tool of result.tools.filter(isObject)) {
    const fault = findHeaderFault(tool.inputSchema);
    if (fault === undefined) continue;
    warn('tool-left-out', `clients leave out the tool ${JSON.stringify(tool.name)}: ${fault}`);
  }
}
