import type { Agent, AgentDefinition } from '../../agents/agent.js';
import { createAgent } from '../../agents/registry.js';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Task } from '../../config/files/task-file.js';
import type { Problems } from '../../config/problems/problem.js';
import { listExtensionDefinitions } from '../../extensions/extension-definition.js';
import { Extensions } from '../../extensions/extensions.js';
import { locateProgram } from '../../extensions/package/locate-program.js';
import { findStepTarget } from '../../plan/step-target.js';
import type { Suite } from '../../plan/suite.js';
import type { Prices } from '../../prices/prices.js';
import { defineJudge } from './agent-definition.js';
import { addPrices } from './pricing.js';

/** The servers and the agent of one variant. */
export interface VariantParticipants {
  suite: Suite;
  definition: AgentDefinition;
  servers: readonly McpServer[];
  /** None with --control. */
  agent?: Agent;
}

/** Everything that takes part in the task runs of an eval. Nothing of it is started yet. */
export interface Participants {
  variants: readonly VariantParticipants[];
  /** The agent that judges; none: no step needs one. */
  judge?: Agent;
  extensions: Extensions;
  /** Names of the extensions that some step needs. */
  extensionNames: readonly string[];
}

interface ParticipantsRequest {
  suite: Suite;
  definitions: ReadonlyMap<Suite, AgentDefinition>;
  /** Tasks whose steps may need a judge or extensions. */
  tasks: readonly Task[];
  control: boolean;
  /** Adds costs to what agents report, where prices are known. */
  prices?: Prices;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  /** Called with what takes its time, such as a download. */
  onProgress(message: string): void;
}

/** Assembles agents, servers, judge and extensions. What is wrong with the judge's settings is a problem. */
export async function assembleParticipants(
  request: ParticipantsRequest,
  problems: Problems,
): Promise<Participants> {
  const { suite, tasks, prices, environment, redact, onProgress } = request;
  const variants = await assembleVariants(request);
  const servers = (suite.mcp?.servers ?? []).map(({ name }) => name);
  const needs = findNeeds(tasks, servers);
  const definition = needs.judge ? defineJudge(suite, environment, problems) : undefined;
  const judge = definition && (await createPricedAgent(definition, prices));
  return {
    variants,
    ...(judge && { judge }),
    extensions: new Extensions({
      definitions: listExtensionDefinitions(suite.eval, environment, needs.extensions),
      environment,
      locate: (extension, signal) => locateProgram(extension, { environment, signal, onProgress }),
      redact,
    }),
    extensionNames: needs.extensions,
  };
}

const noServers: readonly McpServer[] = [];

/** Variants that differ only in their servers have one agent, and the other way round. */
async function assembleVariants({
  definitions,
  control,
  prices,
}: ParticipantsRequest): Promise<VariantParticipants[]> {
  const agents = new Map<string, Agent>();
  const variants: VariantParticipants[] = [];
  for (const [suite, definition] of definitions) {
    const servers = suite.mcp?.servers ?? noServers;
    const key = JSON.stringify(definition);
    const agent = control
      ? undefined
      : (agents.get(key) ?? (await createPricedAgent(definition, prices)));
    if (agent) agents.set(key, agent);
    variants.push({ suite, definition, servers, ...(agent && { agent }) });
  }
  return variants;
}

async function createPricedAgent(
  definition: AgentDefinition,
  prices: Prices | undefined,
): Promise<Agent> {
  const agent = await createAgent(definition);
  return prices ? addPrices(agent, prices) : agent;
}

/** What the steps of some tasks need besides servers. */
function findNeeds(
  tasks: readonly Task[],
  servers: readonly string[],
): { judge: boolean; extensions: string[] } {
  const extensions = new Set<string>();
  let judge = false;
  for (const { steps, requires } of tasks) {
    for (const { type } of steps) {
      if (type === 'llmJudge') judge = true;
      const target = findStepTarget(type, requires, servers);
      if (target?.kind === 'extension') extensions.add(target.target);
    }
  }
  return { judge, extensions: [...extensions] };
}
