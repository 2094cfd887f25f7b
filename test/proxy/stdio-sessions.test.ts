import { describe, expect, it } from 'vitest';
import { AgentSession, initialize } from '../support/agent-session.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

describe('a request that an agent calls off', () => {
  it('ends at once, although the server never answers, and the session goes on', async () => {
    const proxy = await RunningProxy.start({ works: stdioServer('hostile-stdio-server.mjs') });
    const session = await AgentSession.open(proxy.url('works'));
    for (const id of [101, 102, 103]) {
      const call = session.call('never', { id }).catch((error: Error) => error);
      while ((await session.text('unanswered')) !== String(id - 100));
      await session.notify('notifications/cancelled', { requestId: id });
      // It is over before the session is.
      await call;
      expect(await session.text('echo', { text: 'goes on' })).toBe('goes on');
    }
    const { exitCode, calls, warnings } = await proxy.stop();
    expect({ exitCode, warnings }).toEqual({ exitCode: 0, warnings: [] });
    const cancelled = calls.filter(({ name }) => name === 'never');
    expect(cancelled).toHaveLength(3);
    for (const call of cancelled) expect(call).toMatchObject({ cancelled: true, isError: false });
  });
});

describe('a server that is shared', () => {
  it('is told once that its client is ready, by whoever is', async () => {
    const server = stdioServer('remembering-stdio-server.mjs');
    const proxy = await RunningProxy.start({ server });
    const { headers } = await initialize(proxy.url('server'));
    const hasty = { 'mcp-session-id': String(headers['mcp-session-id']) };
    expect((await new AgentSession(proxy.url('server'), hasty).end()).status).toBe(200);
    const second = await AgentSession.open(proxy.url('server'));
    const third = await AgentSession.open(proxy.url('server'));
    await second.text('anything');
    const lines: string[] = JSON.parse(await third.text('received'));
    const told = lines.filter((line) => line.includes('notifications/initialized'));
    expect(told).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"initialize"'))).toHaveLength(1);
    // Before anything else is asked of it.
    expect(lines.indexOf(told[0] ?? '')).toBe(1);
  });
});

describe('a request of the server', () => {
  it('is answered with an error if the agent leaves without an answer', async () => {
    const proxy = await RunningProxy.start({ server: stdioServer('asking-stdio-server.mjs') });
    const first = await AgentSession.open(proxy.url('server'));
    await first.text('ask');
    await first.end();
    const second = await AgentSession.open(proxy.url('server'));
    expect(JSON.parse(await second.text('asked'))).toEqual([
      { code: -32000, message: 'no client is there to answer this request' },
    ]);
  });
});

describe('a session that does not begin', () => {
  it.each([
    ['exits', stdioServer('hostile-stdio-server.mjs', ['exits-at-once'])],
    ['says no', stdioServer('remembering-stdio-server.mjs', ['refuses'])],
    ['cannot be started', stdioServer('', [], { command: 'no-such-program' })],
    ['says nothing', stdioServer('hostile-stdio-server.mjs', ['silent'], { startupTimeout: '1s' })],
  ])('because the server %s has no id', async (_what, server) => {
    const proxy = await RunningProxy.start({ server });
    const { headers, answer } = await initialize(proxy.url('server'));
    expect(answer?.error).toBeDefined();
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect((await proxy.stop()).exitCode).toBe(0);
  });
});
