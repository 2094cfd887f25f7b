import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentSession } from '../support/agent-session.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

const meeting = stdioServer('meeting-server.mjs');

/** Two agents at one server of scope `task`; both count their requests and tokens from 1. */
async function twoSessions() {
  const proxy = await RunningProxy.start({ meeting });
  const [first, second] = await Promise.all([
    AgentSession.open(proxy.url('meeting')),
    AgentSession.open(proxy.url('meeting')),
  ]);
  return { proxy, first, second };
}

/** When the server has these calls and answers none of them yet. */
async function untilWaiting(session: AgentSession, names: string[]): Promise<void> {
  let waiting: string[] = [];
  while (waiting.length < names.length) waiting = JSON.parse(await session.text('waiting'));
  expect(waiting.toSorted()).toEqual(names.toSorted());
}

describe('two sessions that share a server', () => {
  it('get their own answers and progress, with the same ids and tokens', async () => {
    const { proxy, first, second } = await twoSessions();
    const calls = [
      first.call('wait', { id: 100, args: { name: 'first' }, progressToken: 1 }),
      second.call('wait', { id: 100, args: { name: 'second' }, progressToken: 1 }),
    ];
    await untilWaiting(first, ['first', 'second']);
    await first.text('tell-progress', { steps: 3 });
    await second.text('release');
    const replies = await Promise.all(calls);
    for (const [index, name] of ['first', 'second'].entries()) {
      const progress = [1, 2, 3].map((step) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 1, progress: step, message: name },
      }));
      const content = [{ type: 'text', text: `answer for ${name}` }];
      const answer = { jsonrpc: '2.0', id: 100, result: { content } };
      expect(replies[index]?.messages).toEqual([...progress, answer]);
    }
    const { calls: recorded, warnings } = await proxy.stop();
    expect(warnings).toEqual([]);
    const waits = recorded.filter(({ name }) => name === 'wait');
    const pairs = waits.map(({ args, result, session }) => ({
      session,
      asked: args?.value,
      got: result?.value,
    }));
    expect(new Set(pairs.map(({ session }) => session)).size).toBe(2);
    for (const { asked, got } of pairs) {
      const { name } = asked as { name: string };
      expect(got).toEqual({ content: [{ type: 'text', text: `answer for ${name}` }] });
    }
  });

  it('cancel only their own calls', async () => {
    const { proxy, first, second } = await twoSessions();
    const called = first.call('wait', { id: 100, args: { name: 'first' } });
    const kept = second.call('wait', { id: 100, args: { name: 'second' } });
    await untilWaiting(first, ['first', 'second']);
    await first.notify('notifications/cancelled', { requestId: 100 });
    // The second one has no call 200, and the first one's is none of its business.
    const later = first.call('wait', { id: 200, args: { name: 'later' } });
    await untilWaiting(first, ['second', 'later']);
    await second.notify('notifications/cancelled', { requestId: 200 });
    expect(JSON.parse(await second.text('cancelled'))).toEqual(['first']);
    await second.text('release');
    expect((await kept).answer?.result?.content?.[0]?.text).toBe('answer for second');
    expect((await later).answer?.result?.content?.[0]?.text).toBe('answer for later');
    const { calls } = await proxy.stop();
    await called.catch(() => {});
    const cancelled = calls.filter((call) => call.cancelled);
    expect(cancelled.map(({ args }) => args?.value)).toEqual([{ name: 'first' }]);
  });

  it('are asked only what concerns their own call, also after one called off another', async () => {
    const proxy = await RunningProxy.start({ meeting });
    const url = new URL(proxy.url('meeting'));
    const asked: string[] = [];
    const connect = async (name: string) => {
      const client = new Client({ name, version: '1' }, { capabilities: { roots: {} } });
      onTestFinished(() => client.close());
      client.setRequestHandler(ListRootsRequestSchema, () => {
        asked.push(name);
        return { roots: [{ uri: `file:///${name}` }] };
      });
      await client.connect(new StreamableHTTPClientTransport(url) as Transport);
      return client;
    };
    // The one that the server knows by its initialize.
    const first = await connect('first');
    const second = await connect('second');
    const watcher = await AgentSession.open(url.href);

    const callingOff = new AbortController();
    const wait = { name: 'wait', arguments: { name: 'first' } };
    const { signal } = callingOff;
    const called = first.callTool(wait, undefined, { signal }).catch((error: Error) => error);
    await untilWaiting(watcher, ['first']);
    callingOff.abort();
    expect(await called).toBeInstanceOf(Error);
    while ((await watcher.text('cancelled')) === '[]');

    const ask = { name: 'ask', arguments: { name: 'question' } };
    const text = '{"roots":[{"uri":"file:///second"}]}';
    expect(await second.callTool(ask)).toEqual({ content: [{ type: 'text', text }] });
    expect(asked).toEqual(['second']);
    expect((await proxy.stop()).warnings).toEqual([]);
  });

  it('do not end each other', async () => {
    const { first, second } = await twoSessions();
    const ended = first.call('wait', { args: { name: 'first' } });
    const kept = second.call('wait', { args: { name: 'second' } });
    await untilWaiting(second, ['first', 'second']);
    expect((await first.end()).status).toBe(200);
    expect((await ended).answer?.error).toBeDefined();
    await untilWaiting(second, ['second']);
    await second.text('release');
    expect((await kept).answer?.result?.content?.[0]?.text).toBe('answer for second');
    expect((await first.call('pid')).status).toBe(404);
  });
});

describe('the scope of a server', () => {
  it.each([
    ['task', 1],
    ['run', 1],
    ['session', 2],
  ])('%s: two sessions use %i processes', async (scope, count) => {
    const proxy = await RunningProxy.start({ meeting: { ...meeting, scope } });
    const url = proxy.url('meeting');
    const sessions = await Promise.all([AgentSession.open(url), AgentSession.open(url)]);
    const pids = await Promise.all(sessions.map((session) => session.text('pid')));
    expect(new Set(pids).size).toBe(count);
    // It stays the same for as long as the session does.
    const again = await Promise.all(sessions.map((session) => session.text('pid')));
    expect(again).toEqual(pids);
    expect((await proxy.stop()).warnings).toEqual([]);
  });

  it('session: the process ends with its session', async () => {
    const proxy = await RunningProxy.start({ meeting: { ...meeting, scope: 'session' } });
    const url = proxy.url('meeting');
    const [first, second] = await Promise.all([AgentSession.open(url), AgentSession.open(url)]);
    const pid = Number(await first.text('pid'));
    await first.end();
    const isGone = () => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    };
    await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
    expect(Number(await second.text('pid'))).not.toBe(pid);
    expect((await proxy.stop()).warnings).toEqual([]);
  });
});
