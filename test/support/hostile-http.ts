import { expect } from 'vitest';
import {
  type ReceivedRequest,
  ScriptedHttpServer,
  secretToken,
} from '../../testing/scripted-http-server.js';
import { AgentSession } from './agent-session.js';
import { type ProxyResult, RunningProxy, stdioServer } from './running-proxy.js';

export type Answer = (request: ReceivedRequest) => void;

/** A proxy before a server that answers calls like this, and another server beside it. */
export async function startProxy(call: Answer, script: Record<string, Answer> = {}) {
  const server = await ScriptedHttpServer.listen({ 'POST tools/call': call, ...script });
  const proxy = await proxyBefore(server.url);
  return { server, proxy };
}

export function proxyBefore(url: string, more: object = {}): Promise<RunningProxy> {
  return RunningProxy.start({
    hostile: { url, enableAllTools: true, ...more },
    other: stdioServer('hostile-stdio-server.mjs'),
  });
}

/** The other server works, so does a new session, and Ctrl-C leaves nothing. */
export async function stop(proxy: RunningProxy, { isDown = false } = {}): Promise<ProxyResult> {
  const other = await AgentSession.open(proxy.url('other'));
  expect(await other.text('echo', { text: 'still here' })).toBe('still here');
  if (!isDown) await AgentSession.open(proxy.url('hostile'));
  const result = await proxy.stop();
  expect(result.exitCode).toBe(0);
  expect(result.stderr).not.toContain(secretToken);
  expect(await proxy.files()).toEqual(['agent.json', 'mcp.json', 'record.jsonl', 'tmp']);
  return result;
}

export function codesOf({ warnings }: ProxyResult): string[] {
  return warnings.map(({ code }) => code);
}

/** The one tool call there was. */
export function callOf({ calls }: ProxyResult) {
  const [call, ...others] = calls.filter(
    ({ server, kind }) => server === 'hostile' && kind === 'tool',
  );
  expect(others).toEqual([]);
  if (call === undefined) throw new Error('the call was not recorded');
  return call;
}
