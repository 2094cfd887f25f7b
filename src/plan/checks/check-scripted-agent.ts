import type { Problems } from '../../config/problem.js';
import type { Suite } from '../suite.js';
import { reportUnknownServer } from './unknown-server.js';

/** What a scripted agent is to call must be there: it could not find out by itself. */
export function checkScriptedAgent(
  { agentFile, mcp, mcpUnknown }: Suite,
  problems: Problems,
): void {
  if (!agentFile || mcpUnknown) return;
  const { source, data } = agentFile;
  const known = new Set(mcp?.servers.map(({ name }) => name));
  for (const [rule, { do: actions }] of (data.scripted ?? []).entries()) {
    for (const [index, action] of actions.entries()) {
      for (const kind of ['call', 'read', 'getPrompt'] as const) {
        const server = action[kind]?.server;
        const path = ['scripted', rule, 'do', index, kind, 'server'];
        if (server === undefined || known.has(server) || source.isFaulty(path)) continue;
        reportUnknownServer(source, path, server, mcp, problems);
      }
    }
  }
}
