import type { IncomingHttpHeaders } from 'node:http';
import { decodeHeaderValue, type ToolHeaders } from '../../mcp/mcp-headers.js';
import type { Message } from '../message.js';
import { standardHeaders } from '../standard-headers.js';

/**
 * What is wrong with the headers of a stateless request. They repeat parts of the body, and a server
 * must refuse what differs. A stdio server sees no headers, so its endpoint does.
 */
export function headerMismatch(
  headers: IncomingHttpHeaders,
  message: Message,
  toolHeaders: ToolHeaders,
): string | undefined {
  if (message.kind !== 'request') return undefined;
  const isCall = message.method === 'tools/call';
  const expected = {
    ...standardHeaders(message),
    ...(isCall && toolHeaders.headersFor(message.params)),
  };
  for (const [header, value] of Object.entries(expected)) {
    const given = headers[header.toLowerCase()];
    if (given === undefined) return `the header ${header} is missing`;
    if (!isSame(String(given), value)) return `the header ${header} differs from the body`;
  }
  return undefined;
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [decodeHeaderValue(given), decodeHeaderValue(expected)];
  // Numbers are compared as such: 42.0 is 42.
  return left === right || (isNumber(left) && isNumber(right) && Number(left) === Number(right));
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}
