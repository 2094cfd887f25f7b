import type { AgentData } from '../config/schemas/agent-schema.js';
import type { Agent, AgentDefinition } from './agent.js';

/** A way to run an agent. Loaded only when an eval uses it. */
interface AgentKind {
  /** Whether an Agent file is of this kind; the first that says yes is taken. */
  accepts(data: AgentData): boolean;
  load(): Promise<{ createAgent(definition: AgentDefinition): Agent }>;
}

/** To add a kind: one file, and one line here. */
const kinds: readonly AgentKind[] = [
  {
    accepts: ({ scripted }) => scripted !== undefined,
    load: () => import('./scripted/scripted-agent.js'),
  },
  { accepts: ({ acp }) => acp !== undefined, load: () => import('./acp/acp-agent.js') },
  {
    accepts: ({ builtin }) => builtin?.type === 'claude-code',
    load: () => import('./claude-code/claude-code-agent.js'),
  },
  { accepts: ({ builtin }) => builtin !== undefined, load: () => import('./llm/llm-agent.js') },
  {
    accepts: ({ commands }) => commands !== undefined,
    load: () => import('./command/command-agent.js'),
  },
];

export async function createAgent(definition: AgentDefinition): Promise<Agent> {
  const kind = kinds.find(({ accepts }) => accepts(definition.data));
  if (!kind) throw new Error(`no kind of agent accepts ${definition.name}`);
  const { createAgent: create } = await kind.load();
  return create(definition);
}
