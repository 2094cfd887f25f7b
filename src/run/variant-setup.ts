import type { Agent } from '../agents/agent.js';
import type { McpServer } from '../config/mcp-config-file.js';
import type {
  AgentIdentity,
  RunStarted,
  ServerChecked,
  VariantIdentity,
} from '../events/run-events.js';
import type { Variant } from '../plan/variant.js';
import type { ServerOffer } from './preflight/check-servers.js';
import type { SkillMount } from './task-run/skills.js';

/** Who does tasks, and with what: without a matrix there is one, else one for each variant. */
export interface VariantSetup {
  variant?: Variant;
  servers: readonly McpServer[];
  offers: readonly ServerOffer[];
  /** None with --control. */
  agent?: Agent;
  identity: AgentIdentity;
  /** The agent's own tool that loads skills. */
  skillTool: string;
  skills?: SkillMount;
}

/** What the journal says of them. */
export function recordOfSetups(setups: readonly VariantSetup[]): {
  agent?: AgentIdentity;
  variants?: VariantIdentity[];
} {
  const [first, ...others] = setups;
  const isSame = ({ identity }: VariantSetup) =>
    JSON.stringify(identity) === JSON.stringify(first?.identity);
  const variants = setups.flatMap(({ variant, identity }) =>
    variant ? [{ ...variant, agent: identity }] : [],
  );
  return {
    ...(first && others.every(isSame) && { agent: first.identity }),
    ...(variants.length > 0 && { variants }),
  };
}

/** The servers of all variants, each once. */
export function serversOfSetups(setups: readonly VariantSetup[]): RunStarted['mcpServers'] {
  return onePerConfig(setups).flatMap(({ servers, variant }) =>
    servers.map(({ name, transport }) => ({ name, transport, ...configOf(variant) })),
  );
}

/** What they offer, likewise. */
export function offersOfSetups(setups: readonly VariantSetup[]): ServerChecked[] {
  return onePerConfig(setups).flatMap(({ offers, variant }) =>
    offers.map(({ event }) => ({ ...event, ...configOf(variant) })),
  );
}

function onePerConfig(setups: readonly VariantSetup[]): VariantSetup[] {
  return [...new Map(setups.toReversed().map((each) => [each.servers, each])).values()].reverse();
}

function configOf(variant: Variant | undefined): { mcpConfigFile?: string } {
  const { mcpConfigFile } = variant ?? {};
  return mcpConfigFile === undefined ? {} : { mcpConfigFile };
}
