import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, AgentReadiness } from '../../agents/agent.js';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { ExtensionCheck } from '../../extensions/extensions.js';
import type { RecordingProxy } from '../../proxy/recording-proxy.js';
import type { Participants, VariantParticipants } from '../prepare/participants.js';
import { makeTaskRunValues, ownFolderPrefix, WorkspaceError } from '../workspace.js';
import { checkServers, type ServerCheck } from './check-servers.js';

interface PreflightOptions {
  /** Variants that share servers or an agent have the very same objects. */
  participants: Participants;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  signal: AbortSignal;
  /** The proxy of the task runs to come: its servers of scope `run` stay. */
  proxy?: RecordingProxy | undefined;
  /** A folder for temporary files that is removed whatever happens; none: that of the system. */
  temporary?: string;
  onChecked?(check: ServerCheck): void;
}

export interface VariantReadiness {
  servers: ServerCheck[];
  agent: AgentReadiness;
}

/** A variant with what its servers and its agent answered. */
export type CheckedVariant = VariantParticipants & { ready: VariantReadiness };

export interface Preflight {
  variants: CheckedVariant[];
  judge: AgentReadiness;
  extensions: ExtensionCheck[];
  /** Settles when the servers that were started only to be asked have exited. */
  departure: Promise<void>;
}

/**
 * Checks that everything is there that task runs will need, and asks servers what they offer. Throws
 * WorkspaceError.
 */
export async function preflight(options: PreflightOptions): Promise<Preflight> {
  const { participants, environment, redact, signal } = options;
  const { variants, judge, extensions, extensionNames } = participants;
  const workdir = await makeFolderIn(options.temporary ?? tmpdir());
  if (variants.some(callsAtOnce)) options.proxy?.expectCalls();
  const leaving: Promise<void>[] = [];
  const checkOnce = cachePerKey(async (servers: readonly McpServer[]) => {
    // Variants are checked at the same time: their servers must not meet.
    const values = await makeTaskRunValues(await mkdtemp(join(workdir, 'servers-')));
    const { checks, departure } = await checkServers({ ...options, servers, values });
    leaving.push(departure);
    return checks;
  });
  const leave = async () => {
    await Promise.all(leaving).finally(() =>
      rm(workdir, { recursive: true, force: true }).catch(() => {}),
    );
  };
  const prepareOnce = cachePerKey(async (agent: Agent) =>
    redactReadiness(await agent.prepare({ environment, signal }), redact),
  );
  try {
    const [ofVariants, ofJudge, ofExtensions] = await Promise.all([
      Promise.all(
        variants.map(async (variant) => {
          const [servers, agent] = await Promise.all([
            checkOnce(variant.servers),
            variant.agent ? prepareOnce(variant.agent) : { problems: [] },
          ]);
          return { ...variant, ready: { servers, agent } };
        }),
      ),
      judge?.prepare({ environment, signal }) ?? { problems: [] },
      extensions.prepare(extensionNames, signal).catch((error: unknown) => {
        // After an abort the answer does not matter.
        if (signal.aborted) return [];
        throw error;
      }),
    ]);
    const departure = leave();
    // Callers that wait for it see the rejection; others must not crash by it.
    departure.catch(() => {});
    return {
      variants: ofVariants,
      judge: redactReadiness(ofJudge, redact),
      extensions: ofExtensions,
      departure,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/**
 * Whether the token counter should be started ahead. Only a scripted agent calls a tool so soon; for others, that would
 * cost memory for nothing, which makes it slower to start every process.
 */
function callsAtOnce({ servers, agent }: VariantParticipants): boolean {
  return servers.length > 0 && agent?.identity.type === 'scripted';
}

function cachePerKey<Key extends object, Value>(
  ask: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const answers = new Map<Key, Promise<Value>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}

async function makeFolderIn(temporary: string): Promise<string> {
  try {
    return await mkdtemp(join(temporary, ownFolderPrefix));
  } catch (error) {
    throw new WorkspaceError(temporary, error);
  }
}

/** What a program says about itself may hold the key that it was given. */
function redactReadiness(
  { problems, version }: AgentReadiness,
  redact: (text: string) => string,
): AgentReadiness {
  return {
    problems: problems.map((problem) => ({ ...problem, message: redact(problem.message) })),
    ...(version !== undefined && { version: redact(version) }),
  };
}
