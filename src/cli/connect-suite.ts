import type { Agent, AgentReadiness } from '../agents/agent.js';
import { createAgent } from '../agents/registry.js';
import { plural } from '../config/plural.js';
import type { Problems } from '../config/problem.js';
import { Redactor } from '../config/redactor.js';
import { checkOffers } from '../plan/checks/check-offers.js';
import type { Suite } from '../plan/suite.js';
import { secretsOfSuite } from '../plan/suite-secrets.js';
import { agentDefinition } from '../run/agent-definition.js';
import { preflight } from '../run/preflight/preflight.js';
import { verificationFor } from '../run/preflight/verification.js';
import { offersOf, refuseWithoutWorkspace, reportPreflight } from './check/preflight-problems.js';
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
  agent: ConnectedAgent;
  /** Null: no step needs one. */
  judge: ConnectedAgent | null;
  extensions: { name: string; version: string; operations: string[] }[];
}

interface ConnectedAgent {
  name: string;
  type: string;
  version?: string;
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
  const redactor = new Redactor(secretsOfSuite(suite, io.environment));
  const agent = await createAgent(definition);
  const redact = (text: string) => redactor.text(text);
  const verification = await verificationFor(
    suite,
    suite.tasks.map(({ task }) => task),
    {
      environment: io.environment,
      redact,
      onProgress: (message) => io.stderr.write(`${terminalLine(message)}\n`),
    },
    problems,
  );
  const ready = await preflight({
    servers: suite.mcp?.servers ?? [],
    agent,
    verification,
    environment: io.environment,
    redact,
    signal,
  })
    .catch(refuseWithoutWorkspace)
    .finally(() => verification.extensions.close());
  if (signal.aborted) return undefined;
  reportPreflight(ready, suite, verification, problems);
  const offers = offersOf(ready.servers);
  checkOffers(suite, offers, problems);
  const { judge } = verification;
  const data = {
    servers: [...offers].map(([server, offer]) => ({
      name: server,
      tools: offer.tools.length,
      allowedTools: offer.event.allowedTools.length,
      resources: offer.uris.length,
      prompts: offer.prompts.length,
    })),
    agent: connected(agent, ready.agent),
    judge: judge ? connected(judge, ready.judge) : null,
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
  return { data, text: inWords(data) };
}

function connected({ identity }: Agent, { version }: AgentReadiness): ConnectedAgent {
  const { name, type } = identity;
  return { name, type, ...(version !== undefined && { version }) };
}

function inWords({ servers, agent, judge, extensions }: Connected): string {
  const lines = servers.map(({ name, tools, allowedTools, resources, prompts }) => {
    const parts = [
      `${plural(tools, 'tool')} (${allowedTools} allowed)`,
      plural(resources, 'resource'),
      plural(prompts, 'prompt'),
    ];
    return `  server ${terminalLine(name)}: ${parts.join(', ')}\n`;
  });
  for (const { name, version, operations } of extensions) {
    const what = `${terminalLine(name)} ${terminalLine(version)}`;
    lines.push(`  extension ${what}: ${plural(operations.length, 'operation')}\n`);
  }
  lines.push(`  agent ${readyAgent(agent)}`);
  if (judge) lines.push(`  judge ${readyAgent(judge)}`);
  return lines.join('');
}

function readyAgent({ name, type, version }: ConnectedAgent): string {
  const told = version === undefined ? '' : ` ${terminalLine(version)}`;
  return `${terminalLine(name)} (${type})${told}: ready\n`;
}
