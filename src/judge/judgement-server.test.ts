import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../testing/mcp-clients.js';
import { modernRequest, sendRequest } from '../../testing/raw-requests.js';
import { McpClient } from '../mcp/mcp-client.js';
import { JsonArguments } from '../mcp/rpc-message.js';
import { Listener } from '../proxy/listener.js';
import { JudgementRoute } from './judgement-server.js';
import { JudgementCalls, judgementTool } from './judgement-tool.js';

const passing = { passed: true, reason: 'It fits.' };

async function startServer() {
  const listener = await Listener.start();
  onTestFinished(() => listener.close());
  const calls = new JudgementCalls();
  return { calls, ...listener.add('judge', new JudgementRoute(calls)) };
}

async function post(url: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  const response = await sendRequest(url, { headers, body: text });
  const { status } = response;
  return { status, answer: response.body.length === 0 ? '' : JSON.parse(response.body.toString()) };
}

const request = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params,
});

describe('the server of a judge', () => {
  it.each(['v1', 'v2 legacy', 'v2 automatic', 'v2 modern'] as const)(
    'serves the client %s',
    async (kind) => {
      const { calls, url } = await startServer();
      const { client, callTool } = await connect(kind, { url });

      expect(client.getServerVersion()).toMatchObject({ name: 'judge' });
      expect(await client.listTools()).toMatchObject({ tools: [judgementTool] });
      expect(await callTool('another', passing)).toMatchObject({ isError: true });
      expect(calls.hasValid).toBe(false);
      expect(await callTool('submit_judgement', passing)).toMatchObject({ isError: false });
      await client.close();

      expect(calls.outcome()).toEqual({ verdict: { ...passing, failureCategory: 'n/a' } });
    },
  );

  it('serves our own client, in the new era', async () => {
    const { calls, url } = await startServer();
    const client = await McpClient.connect(url, { name: 'test' });

    expect(client.protocolVersion).toBe('2026-07-28');
    expect(client.serverInfo).toMatchObject({ name: 'judge' });
    expect(await client.listTools()).toEqual([judgementTool]);
    const args = new JsonArguments(JSON.stringify({ passed: 'yes', reason: 'x' }));
    expect(await client.callTool('submit_judgement', args)).toMatchObject({
      isError: true,
      text: expect.stringContaining('passed has to be true or false'),
    });
    await client.close();

    expect(calls.outcome()).toEqual({ error: expect.stringContaining('not valid') });
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2019-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('agrees with a client that asks for %s on %s', async (protocolVersion, agreed) => {
    const { url } = await startServer();

    const { answer } = await post(url, request('initialize', { protocolVersion }));

    expect(answer).toMatchObject({ id: 7, result: { protocolVersion: agreed } });
  });

  it('answers an unknown protocol version with the one it supports', async () => {
    const { url } = await startServer();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };

    const { status, answer } = await post(url, request('tools/list', { _meta }));

    expect(status).toBe(400);
    expect(answer.error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2030-01-01' },
    });
  });

  it('knows no other methods, and says so as its era does', async () => {
    const { url } = await startServer();

    expect(await post(url, request('resources/list'))).toMatchObject({
      status: 200,
      answer: { error: { code: -32601 } },
    });
    expect(await post(url, request('server/discover'))).toMatchObject({
      status: 200,
      answer: { error: { code: -32601 } },
    });
    expect(await modernRequest(url, 'resources/list')).toMatchObject({
      status: 404,
      answer: { error: { code: -32601 } },
    });
  });

  it('has no stream, no sessions, and nothing to say to notifications', async () => {
    const { url } = await startServer();

    expect(await sendRequest(url, { method: 'GET' })).toMatchObject({ status: 405 });
    expect(await sendRequest(url, { method: 'DELETE' })).toMatchObject({ status: 200 });
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await post(url, note)).toEqual({ status: 202, answer: '' });
  });

  it('answers each request of a batch', async () => {
    const { calls, url } = await startServer();
    const call = request('tools/call', { name: 'submit_judgement', arguments: passing });

    const { answer } = await post(url, [call, { ...request('ping'), id: 'p' }]);

    expect(answer).toMatchObject([
      { id: 7, result: { isError: false } },
      { id: 'p', result: {} },
    ]);
    expect(calls.hasValid).toBe(true);
  });

  it('refuses a call that can be read in two ways', async () => {
    const twice = [
      '{"name":"submit_judgement","arguments":{"passed":false,"passed":true,"reason":"x"}}',
      '{"name":"submit_judgement","arguments":{"passed":false,"reason":"x"},"arguments":{"passed":true,"reason":"x"}}',
    ];
    for (const params of twice) {
      const { calls, url } = await startServer();

      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      expect((await post(url, body)).answer).toMatchObject({ result: { isError: true } });

      expect(calls.outcome()).toEqual({ error: expect.stringContaining('twice') });
    }
  });

  it('survives arguments that are nested deeply', async () => {
    const { calls, url } = await startServer();
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    const params = `{"name":"submit_judgement","arguments":{"passed":${deep},"reason":${deep}}}`;

    await post(url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);

    expect(calls.outcome()).toEqual({ error: expect.stringContaining('passed') });
  });

  it('takes no call when its address is gone', async () => {
    const { calls, url, remove } = await startServer();
    remove();

    const call = request('tools/call', { name: 'submit_judgement', arguments: passing });

    expect(await post(url, call)).toMatchObject({ status: 404 });
    expect(calls.hasValid).toBe(false);
  });

  it('takes no call that asks for no answer', async () => {
    const { calls, url } = await startServer();
    const { id: _id, ...call } = request('tools/call', {
      name: 'submit_judgement',
      arguments: passing,
    });

    expect(await post(url, call)).toMatchObject({ status: 202 });
    expect(calls.hasValid).toBe(false);
  });
});
