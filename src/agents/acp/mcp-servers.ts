import type { McpServer } from '@agentclientprotocol/sdk';
import type { AgentTask } from '../agent.js';
import { prepareBridge } from '../program/bridge-command.js';

/**
 * The servers as session/new takes them. Every agent can start a program, not every one do HTTP.
 * Throws NotStarted.
 */
export async function mcpServersFor(
  { servers, privateFolder }: AgentTask,
  { http }: { http: boolean },
): Promise<McpServer[]> {
  if (http) return servers.map(({ name, url }) => ({ type: 'http', name, url, headers: [] }));
  const bridgeTo = await prepareBridge(privateFolder);
  return servers.map(({ name, url }) => ({ name, ...bridgeTo(url), env: [] }));
}
