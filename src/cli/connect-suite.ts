import { createAgent } from '../agents/registry.js';
import { plural } from '../config/plural.js';
import type { Problems } from '../config/problem.js';
import { Redactor } from '../config/redactor.js';
import { secretsOf } from '../config/secrets.js';
import { checkOffers } from '../plan/checks/check-offers.js';
import type { Suite } from '../plan/suite.js';
import { agentDefinition } from '../run/agent-definition.js';
import { preflight } from '../run/preflight/preflight.js';
import { refuseWithoutWorkspace, reportPreflight } from './check/preflight-problems.js';
import type { CommandIo } from './io.js';
import { terminalLine } from './terminal-text.js';

/** What is there, as data and in words. */
export interface ConnectedSuite {
  data: Connected;
  text: string;
}

interface Connected {
  servers: {
    name: string;
    tools: number;
    allowedTools: number;
    resources: number;
    prompts: number;
  }[];
  agent: { name: string; type: string; version?: string };
}

/** Asks every server of a suite what it offers, and looks for the agent. Runs no task. */
export async function connectSuite(
  suite: Suite,
  io: CommandIo,
  problems: Problems,
  signal: AbortSignal,
): Promise<ConnectedSuite | undefined> {
  const definition = agentDefinition(suite);
  if (!definition) return undefined;
  const redactor = new Redactor(secretsOf(suite.mcp, io.environment, definition.data));
  const agent = await createAgent(definition);
  const ready = await preflight({
    servers: suite.mcp?.servers ?? [],
    agent,
    environment: io.environment,
    redact: (text) => redactor.text(text),
    signal,
  }).catch(refuseWithoutWorkspace);
  if (signal.aborted) return undefined;
  reportPreflight(ready, suite, problems);
  const offers = ready.servers.flatMap((check) => ('offer' in check ? [check] : []));
  checkOffers(suite, new Map(offers.map(({ server, offer }) => [server, offer])), problems);
  const { version } = ready.agent;
  const data = {
    servers: offers.map(({ server, offer }) => ({
      name: server,
      tools: offer.tools.length,
      allowedTools: offer.event.allowedTools.length,
      resources: offer.uris.length,
      prompts: offer.prompts.length,
    })),
    agent: {
      name: agent.identity.name,
      type: agent.identity.type,
      ...(version !== undefined && { version }),
    },
  };
  return { data, text: inWords(data) };
}

function inWords({ servers, agent }: Connected): string {
  const lines = servers.map(({ name, tools, allowedTools, resources, prompts }) => {
    const parts = [
      `${plural(tools, 'tool')} (${allowedTools} allowed)`,
      plural(resources, 'resource'),
      plural(prompts, 'prompt'),
    ];
    return `  server ${terminalLine(name)}: ${parts.join(', ')}\n`;
  });
  const version = agent.version === undefined ? '' : ` ${terminalLine(agent.version)}`;
  return `${lines.join('')}  agent ${terminalLine(agent.name)} (${agent.type})${version}: ready\n`;
}
