import { ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { BridgeProcess } from './bridge-process.js';

/** `proctor bridge` before a server that does what a test says. */
export async function bridgeTo(script: Parameters<typeof ScriptedHttpServer.listen>[0]) {
  const server = await ScriptedHttpServer.listen(script);
  return { server, bridge: new BridgeProcess(server.url) };
}

export const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
export const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };
export const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };

/** What a server may say at any time. */
export function note(text: string) {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { data: text } };
}
