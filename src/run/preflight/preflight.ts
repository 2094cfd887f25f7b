import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, AgentReadiness } from '../../agents/agent.js';
import type { McpServer } from '../../config/mcp-config-file.js';
import type { ExtensionCheck } from '../../extensions/extensions.js';
import type { RecordingProxy } from '../../proxy/recording-proxy.js';
import { makeTaskRunValues, ownFolderPrefix, WorkspaceError } from '../workspace.js';
import { checkServers, type ServerCheck } from './check-servers.js';
import type { Verification } from './verification.js';

/** Who does tasks, and with what. */
interface PreflightVariant {
  servers: readonly McpServer[];
  /** None with --control. */
  agent?: Agent;
}

interface PreflightOptions<Of extends PreflightVariant> {
  /** Those that share servers or an agent have the very same. */
  variants: readonly Of[];
  verification: Verification;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  signal: AbortSignal;
  /** That of the task runs to come: its servers of scope `run` stay. */
  proxy?: RecordingProxy;
  /** A folder for temporary files that is removed whatever happens; none: that of the system. */
  temporary?: string;
  onChecked?(check: ServerCheck): void;
}

export interface PreflightOfVariant {
  servers: ServerCheck[];
  agent: AgentReadiness;
}

export interface Preflight<Of extends PreflightVariant = PreflightVariant> {
  variants: (Of & { ready: PreflightOfVariant })[];
  judge: AgentReadiness;
  extensions: ExtensionCheck[];
  /** Settles when the servers that are not needed any more have left. */
  left: Promise<void>;
}

/**
 * Looks whether everything is there that task runs will need, and what the servers offer. Throws
 * WorkspaceError.
 */
export async function preflight<Of extends PreflightVariant>(
  options: PreflightOptions<Of>,
): Promise<Preflight<Of>> {
  const { variants, verification, environment, redact, signal } = options;
  const { judge, extensions, extensionNames } = verification;
  const workdir = await folderIn(options.temporary ?? tmpdir());
  if (variants.some(({ servers }) => servers.length > 0)) options.proxy?.expectCalls();
  const leaving: Promise<void>[] = [];
  const checked = onceEach(async (servers: readonly McpServer[]) => {
    // Variants are checked at the same time: their servers must not meet.
    const values = await makeTaskRunValues(await mkdtemp(join(workdir, 'servers-')));
    const { checks, left } = await checkServers({ ...options, servers, values });
    leaving.push(left);
    return checks;
  });
  const leave = async () => {
    await Promise.all(leaving).finally(() =>
      rm(workdir, { recursive: true, force: true }).catch(() => {}),
    );
  };
  const prepared = onceEach(async (agent: Agent) =>
    withoutSecrets(await agent.prepare({ environment, signal }), redact),
  );
  try {
    const [ofVariants, ofJudge, ofExtensions] = await Promise.all([
      Promise.all(
        variants.map(async (variant) => {
          const [servers, agent] = await Promise.all([
            checked(variant.servers),
            variant.agent ? prepared(variant.agent) : { problems: [] },
          ]);
          return { ...variant, ready: { servers, agent } };
        }),
      ),
      judge?.prepare({ environment, signal }) ?? { problems: [] },
      extensions.prepare(extensionNames, signal).catch((error: unknown) => {
        // Nobody is interested any more.
        if (signal.aborted) return [];
        throw error;
      }),
    ]);
    const left = leave();
    // Whoever waits for it hears of it.
    left.catch(() => {});
    return {
      variants: ofVariants,
      judge: withoutSecrets(ofJudge, redact),
      extensions: ofExtensions,
      left,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

function onceEach<Key extends object, Value>(
  ask: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const answers = new Map<Key, Promise<Value>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

async function folderIn(temporary: string): Promise<string> {
  try {
    return await mkdtemp(join(temporary, ownFolderPrefix));
  } catch (error) {
    throw new WorkspaceError(temporary, error);
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
