import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answerJson, echo, event, startStream } from '../../testing/scripted-http-server.js';
import { bridgeTo, call, note } from '../support/scripted-bridge.js';

describe('the stateless era', () => {
  const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

  it('mirrors what a request says in headers', async () => {
    const { server, bridge } = await bridgeTo({ others: echo });
    const requests = [
      ['prompts/get', { name: ' padded ' }],
      ['resources/read', { uri: 'file:///ü' }],
      ['tools/call', { name: '=?base64?x?=' }],
      ['tasks/cancel', { taskId: 'task 1' }],
      ['server/discover', { name: 'not mirrored' }],
    ] as const;
    for (const [method, params] of requests) {
      bridge.send({ jsonrpc: '2.0', id: method, method, params: { ...params, ...meta } });
      expect((await bridge.message()).id).toBe(method);
    }
    const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    expect(server.received.map(({ headers }) => headers['mcp-name'])).toEqual([
      base64(' padded '),
      base64('file:///ü'),
      base64('=?base64?x?='),
      'task 1',
      undefined,
    ]);
    for (const { headers, name } of server.received) {
      expect(headers['mcp-protocol-version']).toBe('2026-07-28');
      expect(`POST ${headers['mcp-method']}`).toBe(name);
    }
  });

  it('leaves out tools whose headers cannot be sent, and nothing else', async () => {
    const good = '{"name":"good","inputSchema":{"maximum":12345678901234567890}}';
    const bad =
      '{"name":"bad","inputSchema":{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}}';
    const answered = (tools: string) =>
      `{"jsonrpc":"2.0","id":"list","result":{"tools":[${tools}],"ttlMs":0}}`;
    const { bridge } = await bridgeTo({
      'POST tools/list': ({ response }) => answerJson(response, answered(`${bad},${good},${bad}`)),
    });
    bridge.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list', params: meta });
    expect(await bridge.line()).toBe(answered(good));
    await bridge.stderrWith('left out the tool "bad": x-mcp-header A is not of type');
  });

  it('cancels by closing the stream, and says nothing', async () => {
    const { server, bridge } = await bridgeTo({
      'POST tools/call': ({ response }) => startStream(response).write(event(note('working'))),
      'POST ping': echo,
    });
    bridge.send({ ...call, params: { name: 'x', ...meta } });
    await bridge.message();
    const { response } = await server.request('POST tools/call');
    const closed = once(response, 'close');
    bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await closed;
    bridge.send({ jsonrpc: '2.0', id: 2, method: 'ping', params: meta });
    expect((await bridge.message()).id).toBe(2);
    expect(server.names).toEqual(['POST tools/call', 'POST ping']);
  });

  it('tells the client when a subscription ends', async () => {
    const acknowledged = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' };
    const { bridge } = await bridgeTo({
      'POST subscriptions/listen': ({ response }) =>
        startStream(response).end(event(acknowledged, '1')),
    });
    bridge.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params: meta });
    expect(await bridge.message()).toEqual(acknowledged);
    expect(await bridge.message()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 'sub' },
    });
  });
});
