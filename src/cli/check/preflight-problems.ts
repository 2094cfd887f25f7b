import type { Problems } from '../../config/problem.js';
import type { Suite } from '../../plan/suite.js';
import type { Preflight } from '../../run/preflight/preflight.js';
import { WorkspaceError } from '../../run/workspace.js';
import { UsageError } from '../exit-codes.js';

/** What is missing, at the places of the suite that ask for it. */
export function reportPreflight(
  { servers, agent }: Preflight,
  { eval: { source, data }, mcp }: Suite,
  problems: Problems,
  agentOption?: string,
): void {
  for (const check of servers) {
    if ('offer' in check) continue;
    const { server, message, details } = check;
    const hint = details?.trim().split('\n').slice(-3).join(' | ');
    const name = `the server ${JSON.stringify(server)}`;
    const text = message.startsWith(name) ? message : `${name} is not ready: ${message}`;
    const place = mcp?.source ? ['mcpServers', server] : ['config'];
    problems.atKey(mcp?.source ?? source, place, 'server-not-ready', text, hint || undefined);
  }
  const key = data.config.agent ? 'agent' : 'agentFile';
  for (const { message, hint } of agent.problems) {
    // The eval is not to blame then, but has the only place to point at.
    const text = agentOption === undefined ? message : `--agent ${agentOption}: ${message}`;
    problems.atKey(source, ['config', key], 'agent-not-ready', text, hint);
  }
}

/** Without a place for temporary files nothing can be asked, and nothing run. */
export function refuseWithoutWorkspace(error: unknown): never {
  if (!(error instanceof WorkspaceError)) throw error;
  throw new UsageError(error.message, 'or set TMPDIR to a folder that can be written');
}
