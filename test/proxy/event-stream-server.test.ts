import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  event,
  type ReceivedRequest,
  ScriptedHttpServer,
  startStream,
} from '../../testing/scripted-http-server.js';
import { AgentSession, eventsIn } from '../support/agent-session.js';
import { callOf, codesOf, proxyBefore, stop } from '../support/hostile-http.js';

const result = { content: [{ type: 'text', text: 'done' }] };

/** A server that speaks the old HTTP+SSE transport, with what it says on its latest stream. */
async function startProxy(script: Record<string, (request: ReceivedRequest) => void>) {
  let stream: ServerResponse | undefined;
  const say = (message: unknown) => void stream?.write(event(message));
  const server = await ScriptedHttpServer.listen({
    GET: ({ response }) => {
      stream = startStream(response);
      stream.write('event: endpoint\ndata: ?post\n\n');
    },
    'POST initialize': ({ id, response }) => {
      response.writeHead(202).end();
      say({ jsonrpc: '2.0', id, result: { protocolVersion: '2024-11-05' } });
    },
    ...script,
  });
  return { server, say, proxy: await proxyBefore(server.url, { type: 'sse' }) };
}

describe('a server of the old HTTP+SSE transport that answers a POST when the work is done', () => {
  it('may ask for something meanwhile', async () => {
    const ask = { jsonrpc: '2.0', id: 'ask', method: 'sampling/createMessage', params: {} };
    const { server, say, proxy } = await startProxy({
      'POST tools/call': () => say(ask),
      // An answer, which has no method.
      POST: ({ response }) => response.writeHead(202).end(),
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    const stream = await session.callStream('long');
    const [first] = await once(stream.setEncoding('utf8'), 'data');
    expect(eventsIn(first)).toEqual([ask]);
    await session.post({ jsonrpc: '2.0', id: 'ask', result: { role: 'assistant' } });
    const { body } = await server.request('POST');
    expect(JSON.parse(body)).toMatchObject({ id: 'ask', result: { role: 'assistant' } });
    const { id, response } = await server.request('POST tools/call');
    response.writeHead(202).end();
    say({ jsonrpc: '2.0', id, result });
    expect(eventsIn(await text(stream))).toEqual([{ jsonrpc: '2.0', id: 1, result }]);
    const ended = await stop(proxy);
    expect(codesOf(ended)).toEqual([]);
    expect(callOf(ended)).toMatchObject({ isError: false });
  });

  it('hears at once that it need not go on, and everything in its order', async () => {
    const { server, proxy } = await startProxy({ 'POST tools/call': () => {} });
    const session = await AgentSession.open(proxy.url('hostile'));
    const call = session.call('long').catch((error: Error) => error);
    const { id } = await server.request('POST tools/call');
    await session.notify('notifications/cancelled', { requestId: 1 });
    const cancelled = await server.request('POST notifications/cancelled');
    expect(JSON.parse(cancelled.body).params).toEqual({ requestId: id });
    expect(server.names.filter((name) => name.startsWith('POST'))).toEqual([
      'POST initialize',
      'POST notifications/initialized',
      'POST tools/call',
      'POST notifications/cancelled',
    ]);
    await stop(proxy);
    await call;
  });
});
