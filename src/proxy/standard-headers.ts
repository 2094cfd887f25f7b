import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../base/json.js';
import type { WarningCode } from '../journal/mcp-events.js';
import {
  decodeHeaderValue,
  encodeHeaderValue,
  findHeaderFault,
  type ToolHeaders,
} from '../mcp/mcp-headers.js';
import { type Message, readStatelessVersion } from '../mcp/message.js';

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
export function buildStandardHeaders(message: Message): Record<string, string> {
  const version = readStatelessVersion(message);
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

/**
 * What is wrong with the headers of a stateless request. They repeat parts of the body, and a server
 * must refuse what differs. A stdio server sees no headers, so its endpoint does.
 */
export function findHeaderMismatch(
  headers: IncomingHttpHeaders,
  message: Message,
  toolHeaders: ToolHeaders,
): string | undefined {
  if (message.kind !== 'request') return undefined;
  const isCall = message.method === 'tools/call';
  const expected = {
    ...buildStandardHeaders(message),
    ...(isCall && toolHeaders.headersFor(message.params)),
  };
  for (const [header, value] of Object.entries(expected)) {
    const received = headers[header.toLowerCase()];
    if (received === undefined) return `the header ${header} is missing`;
    if (!isSameValue(String(received), value)) return `the header ${header} differs from the body`;
  }
  return undefined;
}

function isSameValue(received: string, expected: string): boolean {
  const [left, right] = [decodeHeaderValue(received), decodeHeaderValue(expected)];
  // Numbers are compared as such: 42.0 is 42.
  return left === right || (isNumber(left) && isNumber(right) && Number(left) === Number(right));
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}
