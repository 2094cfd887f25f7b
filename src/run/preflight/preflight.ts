import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, AgentReadiness } from '../../agents/agent.js';
import type { McpServer } from '../../config/mcp-config-file.js';
import type { ExtensionCheck } from '../../extensions/extensions.js';
import { preflightName, WorkspaceError, workspacePrefix } from '../workspace.js';
import { checkServers, type ServerCheck } from './check-servers.js';
import type { Verification } from './verification.js';

interface PreflightOptions {
  servers: readonly McpServer[];
  /** None with --control. */
  agent?: Agent;
  verification: Verification;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  signal: AbortSignal;
  onChecked?(check: ServerCheck): void;
}

export interface Preflight {
  servers: ServerCheck[];
  agent: AgentReadiness;
  judge: AgentReadiness;
  extensions: ExtensionCheck[];
}

/**
 * Looks whether everything is there that task runs will need, and what the servers offer. Throws
 * WorkspaceError.
 */
export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const { agent, verification, environment, redact, signal } = options;
  const { judge, extensions, extensionNames } = verification;
  const workdir = await temporaryFolder();
  try {
    const [servers, ofAgent, ofJudge, ofExtensions] = await Promise.all([
      checkServers({ ...options, workdir }),
      agent?.prepare({ environment, signal }) ?? { problems: [] },
      judge?.prepare({ environment, signal }) ?? { problems: [] },
      extensions.prepare(extensionNames, signal).catch((error: unknown) => {
        // Nobody is interested any more.
        if (signal.aborted) return [];
        throw error;
      }),
    ]);
    return {
      servers,
      agent: withoutSecrets(ofAgent, redact),
      judge: withoutSecrets(ofJudge, redact),
      extensions: ofExtensions,
    };
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
