import type { Agent, AgentReadiness, ModelShutdown } from '../../agents/agent.js';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Problems } from '../../config/problems/problem.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { collectSuiteSecrets } from '../../plan/suite.js';
import { defineAgents, locateAgent } from '../prepare/agent-definition.js';
import { assembleParticipants, type Participants } from '../prepare/participants.js';
import type { Suites } from '../prepare/prepare-eval.js';
import { makeTaskRunValues, refuseWithoutWorkspace } from '../workspace.js';
import { checkServers, type ServerCheck, summarizeLog } from './check-servers.js';
import { type CheckedVariant, preflight, type VariantReadiness } from './preflight.js';
import { collectOffers, reportPreflight } from './preflight-problems.js';

export { summarizeLog };

export interface ConnectedVariant {
  servers: {
    name: string;
    tools: number;
    allowedTools: number;
    resources: number;
    prompts: number;
  }[];
  /** Those that need what the setup of a task makes, with what went wrong without it. */
  serversForLater?: { name: string; problem: string | null }[];
  agent: ConnectedAgent;
}

/** What is there for an eval. */
export interface ConnectedEval extends Partial<ConnectedVariant> {
  /** The variants of a matrix; without one, the members of its only variant stand beside this one. */
  variants?: ({ name: string } & ConnectedVariant)[];
  /** Null: no step needs one. */
  judge: ConnectedAgent | null;
  extensions: { name: string; version: string; operations: string[] }[];
}

export interface ConnectedAgent {
  name: string;
  type: string;
  version?: string;
}

interface ConnectContext {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Called with what takes its time, such as a download. */
  onProgress(message: string): void;
}

/**
 * Asks every server of an eval, in all its variants, what it offers, and looks for the agents. Runs no task.
 * Undefined after an abort, or if the suite has no agent.
 */
export async function connectEval(
  suites: Suites,
  { environment, signal, onProgress }: ConnectContext,
  problems: Problems,
): Promise<ConnectedEval | undefined> {
  const [suite] = suites;
  const definitions = defineAgents(suites);
  if (!definitions) return undefined;
  const redactor = new Redactor(collectSuiteSecrets(suite, environment, suites));
  const redact = (text: string) => redactor.text(text);
  const participants = await assembleParticipants(
    {
      suite,
      definitions,
      tasks: suite.tasks.map(({ definition }) => definition),
      control: false,
      environment,
      redact,
      onProgress,
    },
    problems,
  );
  const { judge, extensions } = participants;
  const ready = await preflight({ participants, environment, redact, signal })
    .catch(refuseWithoutWorkspace)
    .finally(() => extensions.close());
  await ready.departure;
  if (signal.aborted) return undefined;
  reportPreflight(ready, extensions, problems);
  await reportShutdowns(participants, { environment, signal }, problems);
  if (signal.aborted) return undefined;
  return {
    ...describeVariants(ready.variants),
    judge: judge ? describeAgent(judge, ready.judge) : null,
    extensions: ready.extensions.flatMap((check) =>
      'manifest' in check
        ? [
            {
              name: check.extension,
              version: check.manifest.version,
              operations: [...check.manifest.operations.keys()],
            },
          ]
        : [],
    ),
  };
}

/** Asks servers outside of any eval what they offer. They have left when it returns. */
export async function connectServers(
  servers: readonly McpServer[],
  workdir: string,
  context: Pick<ConnectContext, 'environment' | 'signal'> & { redact(text: string): string },
): Promise<ServerCheck[]> {
  const values = await makeTaskRunValues(workdir);
  const { checks, departure } = await checkServers({ servers, values, ...context });
  await departure;
  return checks;
}

/** Reports models that their providers shut down, at the places of the eval that name their agents. */
async function reportShutdowns(
  { variants, judge }: Participants,
  context: { environment: NodeJS.ProcessEnv; signal: AbortSignal },
  problems: Problems,
): Promise<void> {
  const uses = variants.flatMap(({ suite, agent }) => [
    { suite, agent, at: locateAgent(suite) },
    { suite, agent: judge, at: ['config', 'llmJudge'] },
  ]);
  const asked = new Map<Agent, Promise<ModelShutdown | undefined> | undefined>();
  for (const { suite, agent, at } of uses) {
    if (!agent) continue;
    if (!asked.has(agent)) asked.set(agent, agent.findShutdown?.(context));
    const shutdown = await asked.get(agent);
    if (!shutdown) continue;
    const { model, date, isFromProvider } = shutdown;
    const who = isFromProvider ? 'its provider says' : 'its provider has announced';
    const message = `${model} is shut down on ${date}, as ${who}`;
    problems.atKey(suite.eval.source, at, 'model-shutdown', message);
  }
}

function describeVariants(variants: readonly CheckedVariant[]): Partial<ConnectedEval> {
  const all = variants.map(({ suite: { variant }, agent, ready }) => ({
    name: variant?.name ?? '',
    servers: [...collectOffers(ready.servers)].map(([server, offer]) => ({
      name: server,
      tools: offer.tools.length,
      allowedTools: offer.event.allowedTools.length,
      resources: offer.uris.length,
      prompts: offer.prompts.length,
    })),
    ...listLaterServers(ready.servers),
    agent: describeAgent(agent, ready.agent),
  }));
  const [first] = all;
  if (!first || variants[0]?.suite.variant) return { variants: all };
  const { name: _, ...only } = first;
  return only;
}

function listLaterServers(servers: VariantReadiness['servers']): Partial<ConnectedVariant> {
  const serversForLater = servers.flatMap((check) =>
    'isForLater' in check ? [{ name: check.server, problem: check.problem?.message ?? null }] : [],
  );
  return serversForLater.length > 0 ? { serversForLater } : {};
}

function describeAgent(agent: Agent | undefined, { version }: AgentReadiness): ConnectedAgent {
  const { name, type } = agent?.identity ?? { name: 'none', type: 'none' };
  return { name, type, ...(version !== undefined && { version }) };
}
