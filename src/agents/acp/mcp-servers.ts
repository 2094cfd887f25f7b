import type { McpServer } from '@agentclientprotocol/sdk';
import type { AgentServer } from '../agent.js';
import { proctorLauncher } from '../program/proctor-launcher.js';

/** The servers as session/new takes them. Every agent can start a program, not every one do HTTP. */
export function mcpServersFor(
  servers: readonly AgentServer[],
  { http }: { http: boolean },
): McpServer[] {
  return servers.map(({ name, url }) =>
    http
      ? { type: 'http', name, url, headers: [] }
      : { name, command: process.execPath, args: [proctorLauncher(), 'bridge', url], env: [] },
  );
}
