import type { Agent, AgentReadiness, ModelShutdown } from '../agents/agent.js';
import { plural } from '../base/text.js';
import type { Problems } from '../config/problem.js';
import { Redactor } from '../config/redactor.js';
import { secretsOfSuite } from '../plan/suite-secrets.js';
import {
  type CheckedVariant,
  preflight,
  type VariantReadiness,
} from '../run/preflight/preflight.js';
import {
  collectOffers,
  refuseWithoutWorkspace,
  reportPreflight,
} from '../run/preflight/preflight-problems.js';
import { defineAgents, locateAgent } from '../run/prepare/agent-definition.js';
import { assembleParticipants, type Participants } from '../run/prepare/participants.js';
import type { Suites } from '../run/prepare/prepare-eval.js';
import type { CommandIo } from './io.js';
import { terminalLine } from './terminal-text.js';

/** What is there, as data and in words. */
export interface ConnectedSuite {
  data: Connected;
  text: string;
}

interface ConnectedVariant {
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

interface Connected extends Partial<ConnectedVariant> {
  /** Of a matrix; else what a variant has stands beside it. */
  variants?: ({ name: string } & ConnectedVariant)[];
  /** Null: no step needs one. */
  judge: ConnectedAgent | null;
  extensions: { name: string; version: string; operations: string[] }[];
}

interface ConnectedAgent {
  name: string;
  type: string;
  version?: string;
}

/**
 * Asks every server of a suite, and of its other variants, what it offers, and looks for the agents.
 * Runs no task.
 */
export async function connectSuite(
  suites: Suites,
  io: CommandIo,
  problems: Problems,
  signal: AbortSignal,
): Promise<ConnectedSuite | undefined> {
  const [suite] = suites;
  const { environment } = io;
  const definitions = defineAgents(suites);
  if (!definitions) return undefined;
  const redactor = new Redactor(secretsOfSuite(suite, environment, suites));
  const redact = (text: string) => redactor.text(text);
  const participants = await assembleParticipants(
    {
      suite,
      definitions,
      tasks: suite.tasks.map(({ task }) => task),
      control: false,
      environment,
      redact,
      onProgress: (message) => io.stderr.write(`${terminalLine(message)}\n`),
    },
    problems,
  );
  const { judge, extensions } = participants;
  const ready = await preflight({ participants, environment, redact, signal })
    .catch(refuseWithoutWorkspace)
    .finally(() => extensions.close());
  await ready.left;
  if (signal.aborted) return undefined;
  reportPreflight(ready, extensions, problems);
  await reportShutdowns(participants, { environment, signal }, problems);
  if (signal.aborted) return undefined;
  const data: Connected = {
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
  return { data, text: formatConnected(data) };
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

function describeVariants(variants: readonly CheckedVariant[]): Partial<Connected> {
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

function formatConnected({ variants, judge, extensions, ...only }: Connected): string {
  const lines = (variants ?? [{ name: undefined, ...only }]).flatMap(({ name, ...variant }) => [
    ...(name === undefined ? [] : [`  variant ${terminalLine(name)}\n`]),
    ...formatVariant(variant, name === undefined ? '  ' : '    '),
  ]);
  for (const { name, version, operations } of extensions) {
    const what = `${terminalLine(name)} ${terminalLine(version)}`;
    lines.push(`  extension ${what}: ${plural(operations.length, 'operation')}\n`);
  }
  if (judge) lines.push(`  judge ${formatAgent(judge)}`);
  return lines.join('');
}

function formatVariant(
  { servers = [], serversForLater = [], agent }: Partial<ConnectedVariant>,
  indent: string,
): string[] {
  const lines = servers.map(({ name, tools, allowedTools, resources, prompts }) => {
    const parts = [
      `${plural(tools, 'tool')} (${allowedTools} allowed)`,
      plural(resources, 'resource'),
      plural(prompts, 'prompt'),
    ];
    return `${indent}server ${terminalLine(name)}: ${parts.join(', ')}\n`;
  });
  for (const { name, problem } of serversForLater) {
    const why = problem === null ? '' : `; before it: ${terminalLine(problem)}`;
    lines.push(`${indent}server ${terminalLine(name)}: asked after setup in each task run${why}\n`);
  }
  return [...lines, ...(agent ? [`${indent}agent ${formatAgent(agent)}`] : [])];
}

function formatAgent({ name, type, version }: ConnectedAgent): string {
  const shown = version === undefined ? '' : ` ${terminalLine(version)}`;
  return `${terminalLine(name)} (${type})${shown}: ready\n`;
}
