import { describe, expect, it } from 'vitest';
import { ToolHeaders } from '../mcp/mcp-headers.js';
import { readMessage } from '../mcp/message.js';
import { findHeaderMismatch } from './standard-headers.js';

const toolHeaders = new ToolHeaders();
toolHeaders.learn({
  tools: [
    {
      name: 'query',
      inputSchema: {
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          limit: { type: 'integer', 'x-mcp-header': 'Limit' },
        },
      },
    },
  ],
});

const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

function check(headers: Record<string, string>, method: string, params: object) {
  const message = readMessage(
    JSON.stringify({ id: 1, method, params: { ...params, _meta: meta } }),
  );
  return message && findHeaderMismatch(headers, message, toolHeaders);
}

const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };

describe('findHeaderMismatch', () => {
  it('takes headers that repeat the body', () => {
    expect(check({ ...right, 'mcp-name': 'echo' }, 'tools/call', { name: 'echo' })).toBeUndefined();
    const encoded = `=?base64?${Buffer.from('\u00e9cho').toString('base64')}?=`;
    expect(
      check({ ...right, 'mcp-name': encoded }, 'tools/call', { name: '\u00e9cho' }),
    ).toBeUndefined();
    expect(check({ ...right, 'mcp-method': 'ping' }, 'ping', {})).toBeUndefined();
  });

  it.each([
    [{ 'mcp-method': 'ping' }, 'ping', {}, 'MCP-Protocol-Version is missing'],
    [
      { ...right, 'mcp-protocol-version': '2025-11-25' },
      'tools/call',
      {},
      'MCP-Protocol-Version differs',
    ],
    [{ 'mcp-protocol-version': '2026-07-28' }, 'ping', {}, 'Mcp-Method is missing'],
    [right, 'ping', {}, 'Mcp-Method differs'],
    [right, 'tools/call', { name: 'echo' }, 'Mcp-Name is missing'],
    [{ ...right, 'mcp-name': 'ECHO' }, 'tools/call', { name: 'echo' }, 'Mcp-Name differs'],
  ])('refuses %j for %s', (headers, method, params, reason) => {
    expect(check(headers, method, params)).toContain(reason);
  });

  describe('of tool parameters', () => {
    const named = { ...right, 'mcp-name': 'query' };
    const query = (headers: object, args: object) =>
      check({ ...named, ...headers }, 'tools/call', { name: 'query', arguments: args });

    it('takes those that repeat the arguments, and none where there is no argument', () => {
      expect(query({ 'mcp-param-region': 'eu' }, { region: 'eu' })).toBeUndefined();
      expect(query({ 'mcp-param-limit': '42.0' }, { limit: 42, region: null })).toBeUndefined();
      expect(query({}, {})).toBeUndefined();
    });

    it('refuses those that are missing or differ', () => {
      expect(query({}, { region: 'eu' })).toContain('Mcp-Param-Region is missing');
      expect(query({ 'mcp-param-region': 'us' }, { region: 'eu' })).toContain(
        'Mcp-Param-Region differs',
      );
      expect(query({ 'mcp-param-limit': '43' }, { limit: 42 })).toContain(
        'Mcp-Param-Limit differs',
      );
    });
  });
});
