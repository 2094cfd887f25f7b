import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { modernRequest } from '../../testing/raw-requests.js';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { mebibyte, memoryOf } from '../support/process-memory.js';
import { RunningProxy } from '../support/running-proxy.js';

it('calls that wait for input do not fill the memory, and a retry finds its own', async () => {
  const count = 300;
  const padding = 'word '.repeat(40_000);
  const server = await ScriptedHttpServer.listen({
    'POST tools/call': ({ id, body, response }) => {
      const { requestState } = JSON.parse(body).params;
      const result =
        requestState === undefined
          ? { resultType: 'input_required', requestState: `state ${id}`, padding }
          : { resultType: 'complete', content: [{ type: 'text', text: `after ${requestState}` }] };
      answerJson(response, { jsonrpc: '2.0', id, result });
    },
  });
  const proxy = await RunningProxy.start({ http: { url: server.url, enableAllTools: true } });
  const call = (id: number, more: object = {}) =>
    modernRequest(proxy.url('http'), 'tools/call', { name: `tool-${id}`, ...more }, { id });
  for (let id = 1; id <= count; id++) await call(id);
  // Together they are too large to wait for all of them: the oldest are given up before the end.
  await proxy.shown('unfinished');
  expect(await memoryOf(proxy.pid)).toBeLessThan(250 * mebibyte);
  const latest = [count - 10, count];
  for (const id of latest) await call(id, { requestState: `state ${id}` });
  const { calls, exitCode } = await proxy.stop();
  expect(exitCode).toBe(0);
  expect(calls).toHaveLength(count);
  for (const id of latest) {
    const found = calls.filter(({ name }) => name === `tool-${id}`);
    expect(found).toMatchObject([{ retries: 1, isError: false }]);
    expect(found[0]?.result?.text).toContain(`after state ${id}`);
  }
});

it('session ids that nobody gave out are not kept for ever', async () => {
  const server = await ScriptedHttpServer.listen({});
  // No tool is allowed: all this happens without the server.
  const proxy = await RunningProxy.start({ http: { url: server.url, enableAllTools: false } });
  const url = proxy.url('http');
  const first = new AgentSession(url, { 'mcp-session-id': 'first' });
  await first.call('early');
  await first.call('early');
  await sendAll(
    url,
    Array.from({ length: 20_000 }, (_, index) => `unknown-${index}`),
  );
  await first.call('late');
  const { calls, exitCode } = await proxy.stop();
  expect(exitCode).toBe(0);
  expect(calls).toHaveLength(20_003);
  const sessionsOf = (tool: string) =>
    calls.filter(({ name }) => name === tool).map(({ session }) => session);
  expect(sessionsOf('early')).toEqual([1, 1]);
  expect(sessionsOf('late')).not.toEqual([1]);
});

/** One call in each of these sessions, over one connection and without waiting for answers. */
async function sendAll(url: string, sessions: string[]): Promise<void> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => {
    socket.destroy();
  });
  const params = { name: 'unknown', arguments: {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const type = `content-type: application/json\r\ncontent-length: ${body.length}`;
  for (const id of sessions) {
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nmcp-session-id: ${id}`;
    socket.write(`${head}\r\n${type}\r\n\r\n${body}`);
  }
  let answers = 0;
  let rest = '';
  for await (const chunk of socket) {
    const parts = (rest + chunk).split('HTTP/1.1 200 OK');
    answers += parts.length - 1;
    rest = (parts.at(-1) ?? '').slice(-20);
    if (answers === sessions.length) return;
  }
  throw new Error(`there were only ${answers} answers`);
}
