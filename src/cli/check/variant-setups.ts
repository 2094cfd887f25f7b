import type { Agent, AgentDefinition } from '../../agents/agent.js';
import { createAgent } from '../../agents/registry.js';
import type { McpServer } from '../../config/mcp-config-file.js';
import { skillMountPathOf, skillToolOf } from '../../config/skill-tool.js';
import { digestAgent } from '../../plan/judging.js';
import type { Suite } from '../../plan/suite.js';
import type { Prices } from '../../prices/prices.js';
import type { Preflight } from '../../run/preflight/preflight.js';
import { pricedAgent } from '../../run/priced-agent.js';
import type { SkillMount } from '../../run/task-run/skills.js';
import type { VariantSetup } from '../../run/variant-setup.js';
import { identityOf } from './agent-identity.js';
import { offersOf } from './preflight-problems.js';
import type { PreparedCheck } from './prepared-check.js';

/** A variant before anybody has asked whether its servers and its agent are there. */
export interface VariantToPrepare {
  suite: Suite;
  definition: AgentDefinition;
  servers: readonly McpServer[];
  /** None with --control. */
  agent?: Agent;
}

const noServers: readonly McpServer[] = [];

/** Variants that differ only in their servers have one agent, and the other way round. */
export async function variantsToPrepare(
  { definitions }: Pick<PreparedCheck, 'definitions'>,
  { control, prices }: { control: boolean; prices?: Prices },
): Promise<VariantToPrepare[]> {
  const agents = new Map<string, Agent>();
  const variants: VariantToPrepare[] = [];
  for (const [suite, definition] of definitions) {
    const servers = suite.mcp?.servers ?? noServers;
    const key = JSON.stringify(definition);
    const agent = control ? undefined : (agents.get(key) ?? (await created(definition, prices)));
    if (agent) agents.set(key, agent);
    variants.push({ suite, definition, servers, ...(agent && { agent }) });
  }
  return variants;
}

async function created(definition: AgentDefinition, prices: Prices | undefined): Promise<Agent> {
  const agent = await createAgent(definition);
  return prices ? pricedAgent(agent, prices) : agent;
}

/** What an evaluation needs of them. */
export function setupsOf({ variants }: Preflight<VariantToPrepare>): VariantSetup[] {
  return variants.map(({ suite, definition, servers, agent, ready }) => ({
    ...(suite.variant && { variant: suite.variant }),
    servers,
    offers: [...offersOf(ready.servers).values()],
    ...(agent && { agent }),
    identity: agent
      ? { ...identityOf(agent, ready.agent), settings: digestAgent(suite) }
      : { name: 'none', type: 'none' },
    skillTool: skillToolOf(definition.data),
    ...skillsOf(suite, definition),
  }));
}

function skillsOf({ skills }: Suite, { data }: AgentDefinition): { skills?: SkillMount } {
  const mountPath = skillMountPathOf(data);
  if (!skills || mountPath === undefined) return {};
  return { skills: { skills, mountPath } };
}
