import { type AgentKindName, findAgentKind } from '../config/agent-kinds.js';
import type { Agent, AgentDefinition } from './agent.js';

type CreateAgent = (definition: AgentDefinition) => Agent;

/**
 * How the agents of each kind are made; its folder is loaded only when an eval uses it. A kind is defined by its
 * entry in `agentKinds` (its facts), and by a line here: the table does not compile while one is missing.
 */
const loaders: Record<AgentKindName, () => Promise<CreateAgent>> = {
  scripted: async () => (await import('./scripted/scripted-agent.js')).createScriptedAgent,
  acp: async () => (await import('./acp/acp-agent.js')).createAcpAgent,
  'claude-code': async () =>
    (await import('./claude-code/claude-code-agent.js')).createClaudeCodeAgent,
  llm: async () => (await import('./llm/llm-agent.js')).createLlmAgent,
  command: async () => (await import('./command/command-agent.js')).createCommandAgent,
};

export async function createAgent(definition: AgentDefinition): Promise<Agent> {
  const kind = findAgentKind(definition.data);
  if (kind === undefined) throw new Error(`no kind of agent accepts ${definition.name}`);
  const create = await loaders[kind]();
  return create(definition);
}
