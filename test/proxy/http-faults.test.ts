import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { answerJson, event, secretToken, startStream } from '../../testing/scripted-http-server.js';
import { AgentSession, eventsIn, initialize } from '../support/agent-session.js';
import {
  type Answer,
  callOf,
  codesOf,
  proxyBefore,
  startProxy,
  stop,
} from '../support/hostile-http.js';

const result = { content: [{ type: 'text', text: 'done' }] };

describe('a server that is not there', () => {
  it('is down from the start', async () => {
    const gone = createServer();
    await once(gone.listen(0, '127.0.0.1'), 'listening');
    const { port } = gone.address() as { port: number };
    await once(gone.close(), 'close');
    const proxy = await proxyBefore(`http://127.0.0.1:${port}/${secretToken}`);
    const { status, answer } = await initialize(proxy.url('hostile'));
    expect(status).toBe(502);
    const message = 'the server "hostile" cannot be reached: connection refused';
    expect(answer).toMatchObject({ id: 0, error: { code: -32000, message } });
    const ended = await stop(proxy, { isDown: true });
    expect(ended.warnings).toEqual([
      expect.objectContaining({ code: 'server-unreachable', message, server: 'hostile' }),
    ]);
    expect(ended.calls[0]).toMatchObject({ method: 'initialize', isError: true });
  });

  it('goes down between calls', async () => {
    const { server, proxy } = await startProxy(({ id, response }) =>
      answerJson(response, { jsonrpc: '2.0', id, result }),
    );
    const session = await AgentSession.open(proxy.url('hostile'));
    expect(await session.text('first')).toBe('done');
    server.close();
    const { status, answer } = await session.call('second');
    expect(status).toBe(502);
    expect(answer).toMatchObject({ id: 2, error: { code: -32000 } });
    expect(codesOf(await stop(proxy, { isDown: true }))).toEqual(['server-unreachable']);
  });

  it('takes the connection and never says a word, until everything ends', async () => {
    const { server, proxy } = await startProxy(() => {});
    const session = await AgentSession.open(proxy.url('hostile'));
    const call = session.call('never').catch((error: Error) => error);
    await server.request('POST tools/call');
    expect(callOf(await stop(proxy))).toMatchObject({ unfinished: true });
    expect(await call).toBeInstanceOf(Error);
  });
});

describe('a server that answers with what is no answer', () => {
  it.each([
    ['101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other', 'HTTP 101'],
    ['099 Nearly', 'HTTP 99, which is no HTTP status'],
    ['600 Too Much', 'HTTP 600, which is no HTTP status'],
  ])('%j', async (head, told) => {
    const { proxy } = await startProxy(({ response }) =>
      response.socket?.write(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`),
    );
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, answer } = await session.call('odd');
    expect(status).toBe(502);
    expect(answer?.error?.message).toContain(`the server "hostile" answered with ${told}`);
    const ended = await stop(proxy);
    expect(codesOf(ended)).toEqual(['server-http-error']);
    expect(callOf(ended).error?.value).toMatchObject({ message: answer?.error?.message });
  });
});

describe('a server that closes the connection', () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/message', params: { data: 1 } };
  const cut: (text: string, type?: string) => Answer =
    (text, type = 'text/event-stream') =>
    ({ response }) => {
      response.writeHead(200, { 'content-type': type });
      response.write(text, () => response.destroy());
    };

  it('before any answer', async () => {
    const { proxy } = await startProxy(({ response }) => response.destroy());
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, answer } = await session.call('cut');
    expect(status).toBe(502);
    const message = 'the server "hostile" closed the connection without an answer';
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });
    expect(callOf(await stop(proxy)).error?.value).toMatchObject({ message });
  });

  it('within a stream that cannot be resumed: the call is answered with an error', async () => {
    const torn = `${event(progress)}data: {"jsonrpc":"2.0","id":1,"resu`;
    const { proxy } = await startProxy(cut(torn));
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, isCut, messages } = await session.call('cut');
    expect({ status, isCut }).toEqual({ status: 200, isCut: false });
    const message = 'the server "hostile" closed the connection within a stream';
    // What was torn is not taken for a message.
    expect(messages).toEqual([
      progress,
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message } },
    ]);
    const ended = await stop(proxy);
    expect(codesOf(ended)).toEqual(['stream-cut']);
    expect(callOf(ended).error?.value).toMatchObject({ message });
  });

  it('within a stream of a length that it had announced: the error is there as a whole', async () => {
    const { proxy } = await startProxy(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': 120 });
      response.write(event(progress), () => response.destroy());
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, isCut, messages } = await session.call('cut');
    expect({ status, isCut }).toEqual({ status: 200, isCut: false });
    const message = 'the server "hostile" closed the connection within a stream';
    expect(messages).toEqual([
      progress,
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message } },
    ]);
    expect(callOf(await stop(proxy)).error?.value).toMatchObject({ message });
  });

  it('within a stream that can be resumed: the agent sees it and gets the rest by GET', async () => {
    const rest = { jsonrpc: '2.0', id: 1, result };
    // One event again, one with its id, and one without any: only the first is known already.
    const more = { ...progress, params: { data: 2 } };
    const events = [event(progress, 'event-1'), event(more, 'event-1'), event(rest)];
    const { server, proxy } = await startProxy(cut(event(progress, 'event-1')), {
      GET: ({ response }) => startStream(response).end(events.join('')),
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    const { isCut, messages } = await session.call('cut');
    expect(isCut).toBe(true);
    expect(messages).toEqual([progress]);
    const resumed = await session.stream({ 'last-event-id': 'event-1' });
    expect(eventsIn(await text(resumed))).toEqual([progress, more, rest]);
    expect((await server.request('GET')).headers['last-event-id']).toBe('event-1');
    const ended = await stop(proxy);
    expect(codesOf(ended)).toEqual(['stream-cut']);
    expect(callOf(ended)).toMatchObject({ isError: false });
    expect(callOf(ended).result?.value).toEqual(result);
    const notes = ended.events.flatMap((each) =>
      each.type === 'mcp-message' && each.message.text.includes('notifications/message')
        ? [each.message.value]
        : [],
    );
    expect(notes).toEqual([progress, more]);
  });

  it('within a small JSON body: the agent gets an error in its place', async () => {
    const torn = '{"jsonrpc":"2.0","id":1,"result":{"content":[';
    const { proxy } = await startProxy(cut(torn, 'application/json'));
    const session = await AgentSession.open(proxy.url('hostile'));
    const { status, answer } = await session.call('cut');
    expect(status).toBe(502);
    const message = 'the server "hostile" closed the connection within its answer';
    expect(answer).toMatchObject({ id: 1, error: { code: -32000, message } });
    const ended = await stop(proxy);
    expect(codesOf(ended)).toEqual(['stream-cut']);
    expect(callOf(ended).error?.value).toMatchObject({ message });
  });

  it('within a large JSON body: the agent sees it break off', async () => {
    const torn = `{"jsonrpc":"2.0","id":1,"result":{"text":"${'x'.repeat(2_000_000)}`;
    const { proxy } = await startProxy(cut(torn, 'application/json'));
    const session = await AgentSession.open(proxy.url('hostile'));
    const { isCut } = await session.call('cut');
    expect(isCut).toBe(true);
    const ended = await stop(proxy);
    expect(codesOf(ended)).toEqual(['stream-cut']);
    expect(callOf(ended).isError).toBe(true);
  });
});
