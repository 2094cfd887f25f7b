import type { Agent, AgentDefinition, AgentReadiness } from '../agents/agent.js';
import type { McpServer } from '../config/files/mcp-config-file.js';
import { getSkillMountPath, getSkillTool } from '../config/files/skills.js';
import type { Extensions } from '../extensions/extensions.js';
import type {
  AgentIdentity,
  RunStarted,
  ServerChecked,
  VariantIdentity,
} from '../journal/run-events.js';
import { digestAgent } from '../plan/judging.js';
import type { Variant } from '../plan/matrix.js';
import type { Suite } from '../plan/suite.js';
import type { ServerOffer } from './preflight/check-servers.js';
import type { Preflight } from './preflight/preflight.js';
import { collectOffers } from './preflight/preflight-problems.js';
import type { Participants } from './prepare/participants.js';
import type { SkillMount } from './task-run/skills.js';

/** The agent, servers and skills of task runs: without a matrix there is one setup, else one for each variant. */
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

/** Everything that takes part in the task runs of a run, on the machine that does them, after preflight. */
export interface ReadyParticipants {
  /** One for each variant of the plan; without a matrix, one. */
  setups: readonly VariantSetup[];
  /** The agent that judges; undefined: no step needs one. */
  judge: { agent: Agent; identity: AgentIdentity } | undefined;
  /** Those that are needed run already. The TaskRunHost closes them; closing twice is harmless. */
  extensions: Extensions;
}

/** Makes the participants of task runs from what was assembled and what preflight found out about it. */
export function makeReadyParticipants(
  { judge, extensions }: Pick<Participants, 'judge' | 'extensions'>,
  preflight: Preflight,
): ReadyParticipants {
  return {
    setups: makeSetups(preflight),
    judge: judge && { agent: judge, identity: addVersion(judge.identity, preflight.judge) },
    extensions,
  };
}

function makeSetups({ variants }: Preflight): VariantSetup[] {
  return variants.map(({ suite, definition, servers, agent, ready }) => ({
    ...(suite.variant && { variant: suite.variant }),
    servers,
    offers: [...collectOffers(ready.servers).values()],
    ...(agent && { agent }),
    identity: agent
      ? { ...addVersion(agent.identity, ready.agent), settings: digestAgent(suite) }
      : { name: 'none', type: 'none' },
    skillTool: getSkillTool(definition.data),
    ...findSkillMount(suite, definition),
  }));
}

/** Adds the version that the agent's program has reported. */
function addVersion(identity: Agent['identity'], { version }: AgentReadiness): AgentIdentity {
  return { ...identity, ...(version !== undefined && { version }) };
}

function findSkillMount({ skills }: Suite, { data }: AgentDefinition): { skills?: SkillMount } {
  const mountPath = getSkillMountPath(data);
  if (!skills || mountPath === undefined) return {};
  return { skills: { skills, mountPath } };
}

/** Makes those fields of the first event of a journal that name agents, judge and servers. */
export function makeStartFields({ setups, judge }: Omit<ReadyParticipants, 'extensions'>) {
  return {
    ...makeAgentFields(setups),
    ...(judge && { judge: judge.identity }),
    mcpServers: listServers(setups),
    offers: listOffers(setups),
  };
}

function makeAgentFields(setups: readonly VariantSetup[]): {
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
function listServers(setups: readonly VariantSetup[]): RunStarted['mcpServers'] {
  return onePerConfig(setups).flatMap(({ servers, variant }) =>
    servers.map(({ name, transport }) => ({ name, transport, ...configOf(variant) })),
  );
}

/** What the servers of all variants offer, each once. */
function listOffers(setups: readonly VariantSetup[]): ServerChecked[] {
  return onePerConfig(setups).flatMap(({ offers, variant }) =>
    offers.map(({ event }) => ({ ...event, ...configOf(variant) })),
  );
}

function onePerConfig(setups: readonly VariantSetup[]): VariantSetup[] {
  return [
    ...new Map(setups.toReversed().map((setup) => [setup.servers, setup])).values(),
  ].reverse();
}

function configOf(variant: Variant | undefined): { mcpConfigFile?: string } {
  const { mcpConfigFile } = variant ?? {};
  return mcpConfigFile === undefined ? {} : { mcpConfigFile };
}
