import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, AgentReadiness } from '../../agents/agent.js';
import type { McpServer } from '../../config/mcp-config-file.js';
import { preflightName, WorkspaceError, workspacePrefix } from '../workspace.js';
import { checkServers, type ServerCheck } from './check-servers.js';

interface PreflightOptions {
  servers: readonly McpServer[];
  /** None with --control. */
  agent?: Agent;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  signal: AbortSignal;
  onChecked?(check: ServerCheck): void;
}

export interface Preflight {
  servers: ServerCheck[];
  agent: AgentReadiness;
}

/**
 * Looks whether everything is there that task runs will need, and what the servers offer. Throws
 * WorkspaceError.
 */
export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const { agent, environment, signal } = options;
  const workdir = await temporaryFolder();
  try {
    const [servers, readiness] = await Promise.all([
      checkServers({ ...options, workdir }),
      agent?.prepare({ environment, signal }) ?? { problems: [] },
    ]);
    return { servers, agent: withoutSecrets(readiness, options.redact) };
  } finally {
    await rm(workdir, { recursive: true, force: true }).catch(() => {});
  }
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), `${workspacePrefix}${preflightName}`));
  } catch (error) {
    throw new WorkspaceError(tmpdir(), error);
  }
}

/** What a program says about itself may hold the key that it was given. */
function withoutSecrets(
  { problems, version }: AgentReadiness,
  redact: (text: string) => string,
): AgentReadiness {
  return {
    problems: problems.map((problem) => ({ ...problem, message: redact(problem.message) })),
    ...(version !== undefined && { version: redact(version) }),
  };
}
