import { describe, expect, it } from 'vitest';
import { answerJson, type ReceivedRequest } from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { type Answer, startProxy, stop } from '../support/hostile-http.js';
import type { ProxyResult } from '../support/running-proxy.js';

/** Calls stay open until the test answers them. */
const hold: Answer = () => {};

/** A server that does without session ids. */
const withoutSessions: Record<string, Answer> = {
  'POST initialize': ({ id, response }) =>
    answerJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } }),
  'POST notifications/cancelled': ({ response }) => response.writeHead(202).end(),
};

/** One that gives every agent its own. */
function withSessions(): Record<string, Answer> {
  let sessions = 0;
  return {
    ...withoutSessions,
    'POST initialize': (request) => {
      request.response.setHeader('mcp-session-id', `session-${++sessions}`);
      withoutSessions['POST initialize']?.(request);
    },
  };
}

function answerText({ id, response }: ReceivedRequest, text: string): void {
  const result = { content: [{ type: 'text', text }] };
  answerJson(response, { jsonrpc: '2.0', id, result });
}

/** Tool calls by the name of the tool. */
function callsOf({ calls }: ProxyResult) {
  const tools = calls.filter(({ server, kind }) => server === 'hostile' && kind === 'tool');
  const named = Object.fromEntries(tools.map((call) => [call.name, call]));
  expect(Object.keys(named)).toHaveLength(tools.length);
  return named;
}

describe('calls with the same id at the same time', () => {
  it.each([
    ['two agents of a server without sessions, first come first served', withoutSessions, false],
    ['two agents of a server without sessions, in the other order', withoutSessions, true],
    ['two sessions, in the other order', withSessions(), true],
  ])('of %s have their own answers', async (_who, script, isReversed) => {
    const { server, proxy } = await startProxy(hold, script);
    const one = await AgentSession.open(proxy.url('hostile'));
    const other = await AgentSession.open(proxy.url('hostile'));
    const calls = [one.call('one', { id: 1 })];
    const requests = [await server.request('POST tools/call', 1)];
    calls.push(other.call('other', { id: 1 }));
    requests.push(await server.request('POST tools/call', 2));
    const texts = ['for one', 'for other'];
    for (const index of isReversed ? [1, 0] : [0, 1]) {
      const request = requests[index];
      if (request) answerText(request, texts[index] ?? '');
      expect((await calls[index])?.answer?.result?.content?.[0]?.text).toBe(texts[index]);
    }
    const named = callsOf(await stop(proxy));
    for (const [name, text] of [
      ['one', 'for one'],
      ['other', 'for other'],
    ] as const) {
      expect(named[name]).toMatchObject({ isError: false });
      expect(named[name]?.result?.value).toEqual({ content: [{ type: 'text', text }] });
      expect(named[name]).not.toHaveProperty('unfinished');
    }
  });

  it('of one session that does not count have their own answers', async () => {
    const { server, proxy } = await startProxy(hold, withSessions());
    const session = await AgentSession.open(proxy.url('hostile'));
    const early = session.call('early', { id: 1 });
    const first = await server.request('POST tools/call', 1);
    const late = session.call('late', { id: 1 });
    const second = await server.request('POST tools/call', 2);
    answerText(second, 'for late');
    await late;
    answerText(first, 'for early');
    await early;
    // And once more when all that is over.
    const again = session.call('again', { id: 1 });
    answerText(await server.request('POST tools/call', 3), 'for again');
    await again;
    const ended = await stop(proxy);
    const named = callsOf(ended);
    for (const name of ['late', 'early', 'again']) {
      const content = [{ type: 'text', text: `for ${name}` }];
      expect([name, named[name]?.result?.value]).toEqual([name, { content }]);
    }
    expect(ended.warnings).toEqual([]);
  });

  it.each([
    ['a server without sessions', withoutSessions],
    ['two sessions', withSessions()],
  ])('of %s: one agent calls its own off', async (_which, script) => {
    const { server, proxy } = await startProxy(hold, script);
    const staying = await AgentSession.open(proxy.url('hostile'));
    const leaving = await AgentSession.open(proxy.url('hostile'));
    const kept = staying.call('kept', { id: 1 });
    const request = await server.request('POST tools/call', 1);
    const calledOff = leaving.call('called-off', { id: 1 });
    const { response } = await server.request('POST tools/call', 2);
    await leaving.notify('notifications/cancelled', { requestId: 1 });
    // It was told, and gives no answer.
    response.writeHead(202).end();
    await calledOff;
    answerText(request, 'kept');
    expect((await kept).answer?.result?.content?.[0]?.text).toBe('kept');
    const named = callsOf(await stop(proxy));
    expect(named.kept).toMatchObject({ isError: false });
    expect(named.kept).not.toHaveProperty('cancelled');
    expect(named.kept?.result?.value).toEqual({ content: [{ type: 'text', text: 'kept' }] });
    expect(named['called-off']).not.toHaveProperty('result');
  });
});

describe('a session', () => {
  it('goes on when the server does not let it be ended', async () => {
    const { proxy } = await startProxy((request) => answerText(request, 'done'), {
      DELETE: ({ response }) => response.writeHead(405).end(),
    });
    const session = await AgentSession.open(proxy.url('hostile'));
    await session.call('before');
    expect((await session.end()).status).toBe(405);
    await session.call('after');
    const named = callsOf(await stop(proxy));
    expect(named.after?.session).toBe(named.before?.session);
  });
});

describe('a task of revision 2025-11-25', () => {
  const working = { taskId: 'task-1', status: 'working', ttl: 1000 };

  it('that has failed is an error, with the words of its status', async () => {
    const { proxy } = await startProxy(
      ({ id, response }) => answerJson(response, { jsonrpc: '2.0', id, result: { task: working } }),
      {
        'POST tasks/get': ({ id, response }) => {
          const result = { ...working, status: 'failed', statusMessage: 'out of paper' };
          answerJson(response, { jsonrpc: '2.0', id, result });
        },
      },
    );
    const session = await AgentSession.open(proxy.url('hostile'));
    await session.request('tools/call', { name: 'print', arguments: {}, task: { ttl: 1000 } });
    await session.request('tasks/get', { taskId: 'task-1' });
    const { print } = callsOf(await stop(proxy));
    expect(print).toMatchObject({ task: 'task-1', isError: true });
    expect(print?.error?.value).toMatchObject({
      message: expect.stringContaining('out of paper'),
    });
    expect(print).not.toHaveProperty('unfinished');
  });

  it('is none where nobody asked for one', async () => {
    const content = [{ type: 'text', text: 'Here is your task.' }];
    const { proxy } = await startProxy(({ id, response }) =>
      answerJson(response, { jsonrpc: '2.0', id, result: { content, task: working } }),
    );
    const session = await AgentSession.open(proxy.url('hostile'));
    await session.call('next-task');
    const call = callsOf(await stop(proxy))['next-task'];
    expect(call).toMatchObject({ isError: false });
    expect(call?.result?.value).toEqual({ content, task: working });
    expect(call).not.toHaveProperty('unfinished');
    expect(call).not.toHaveProperty('task');
  });
});
