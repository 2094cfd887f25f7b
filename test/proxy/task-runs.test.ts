import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { McpServer } from '../../src/config/files/mcp-config-file.js';
import { ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { AgentSession, initialize } from '../support/agent-session.js';
import { startProxy } from '../support/recording-proxy.js';
import { stdioServer } from '../support/running-proxy.js';

/** Two task runs of one evaluation, as `check` will have them side by side. */
it('ends one task run with everything it has, and leaves another alone', async () => {
  const upstream = await ScriptedHttpServer.listen({ 'POST tools/call': () => {} });
  const stdio = stdioServer('hostile-stdio-server.mjs');
  const servers: McpServer[] = [
    { name: 'stdio', transport: 'stdio', data: stdio },
    { name: 'http', transport: 'http', data: { url: upstream.url, enableAllTools: true } },
  ];
  const { proxy, events } = await startProxy();
  const first = proxy.open(servers, { taskRun: 'first' });
  const second = proxy.open(servers, { taskRun: 'second' });
  const urlOf = (run: typeof first, name: string) => run.urls.get(name) ?? '';
  const addresses = [first, second].flatMap((run) => [...run.urls.values()]);
  expect(new Set(addresses).size).toBe(4);

  const ending = await AgentSession.open(urlOf(first, 'stdio'));
  const going = await AgentSession.open(urlOf(second, 'stdio'));
  const endingPid = Number(await ending.text('pid'));
  const goingPid = Number(await going.text('pid'));
  expect(endingPid).not.toBe(goingPid);
  const overHttp = await AgentSession.open(urlOf(first, 'http'));

  // Each way in which an agent can be waiting.
  const stream = text(await ending.stream());
  const call = ending.call('never');
  while ((await ending.text('unanswered')) !== '1');
  const httpCall = overHttp.call('never').catch((error: Error) => error);
  const { response } = await upstream.request('POST tools/call');
  const calledOff = once(response, 'close');

  await first.close();
  expect((await call).answer?.error).toBeDefined();
  expect(await httpCall).toBeInstanceOf(Error);
  expect(await stream).toBe('');
  await calledOff;
  expect((await initialize(urlOf(first, 'stdio'))).status).toBe(404);
  expect((await initialize(urlOf(first, 'http'))).status).toBe(404);
  expect((await ending.call('echo')).status).toBe(404);
  expect(() => process.kill(endingPid, 0)).toThrow('ESRCH');

  expect(await going.text('pid')).toBe(String(goingPid));
  expect((await initialize(urlOf(second, 'http'))).status).toBe(200);
  const unfinished = events.filter((event) => event.type === 'mcp-call' && event.unfinished);
  expect(unfinished).toHaveLength(2);
  expect(unfinished).toEqual(unfinished.map(() => expect.objectContaining({ taskRun: 'first' })));
  // Only what is built can count tokens.
  const warnings = events.filter((event) => event.type === 'warning');
  expect(warnings.filter(({ code }) => code !== 'tokens-not-counted')).toEqual([]);
});

/** Whoever is slow to send must not wake up what was just put to bed. */
it.each(['stdio', 'http'])('ends before a request to %s has arrived as a whole', async (name) => {
  const upstream = await ScriptedHttpServer.listen({});
  const { proxy, events } = await startProxy();
  const taskRun = proxy.open(
    [
      { name: 'stdio', transport: 'stdio', data: stdioServer('hostile-stdio-server.mjs') },
      { name: 'http', transport: 'http', data: { url: upstream.url, enableAllTools: true } },
    ],
    { taskRun: 'first' },
  );
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const request = http.request(taskRun.urls.get(name) ?? '', {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  const answered = once(request, 'response').then(
    ([response]: IncomingMessage[]) => response?.statusCode,
    () => 'closed',
  );
  // The connection may break while the rest is sent.
  request.on('error', () => {});
  request.flushHeaders();
  // From now on it is under way.
  await once(request, 'continue');
  request.write(body.slice(0, 10));
  await taskRun.close();
  request.end(body.slice(10));
  expect([404, 'closed']).toContain(await answered);
  // Ends whatever was started, so that it would be in the record.
  await proxy.close();
  expect(upstream.received).toEqual([]);
  expect(events).toEqual([]);
});

it('does not add to the record of a task run that is over when a server that it shared dies', async () => {
  const { proxy, events } = await startProxy();
  const data = { ...stdioServer('hostile-stdio-server.mjs'), scope: 'run' as const };
  const first = proxy.open([{ name: 'shared', transport: 'stdio', data }], { taskRun: 'first' });
  const session = await AgentSession.open(first.urls.get('shared') ?? '');
  const pid = Number(await session.text('pid'));
  await first.close();
  const before = events.length;

  process.kill(pid, 'SIGKILL');
  while (events.length === before) await new Promise(setImmediate);

  const [warning] = events.slice(before);
  expect(warning).toMatchObject({ type: 'warning', code: 'server-exited', server: 'shared' });
  expect(warning).not.toHaveProperty('taskRun');
});
