import type { AgentData } from './schemas/agent-schema.js';

export type AgentKindName = 'scripted' | 'acp' | 'claude-code' | 'llm' | 'command';

/** A way to run an agent, and what is known of every agent of this kind before one is started. */
interface AgentKind {
  name: AgentKindName;
  /** Whether an Agent file is of this kind; the first kind that accepts it is taken. */
  accepts(data: AgentData): boolean;
  /** Whether an eval or an option can say which model it uses. */
  takesModel: boolean;
  /** Whether its steps show which skills it loads. Other kinds have no tools of their own, or report none. */
  reportsSkills: boolean;
}

/**
 * All kinds of agents. To add one: an entry here, a folder in src/agents with its `create...Agent`, and a
 * line in src/agents/registry.ts, which does not compile without it.
 */
const agentKinds: readonly AgentKind[] = [
  {
    name: 'scripted',
    accepts: ({ scripted }) => scripted !== undefined,
    takesModel: false,
    reportsSkills: false,
  },
  { name: 'acp', accepts: ({ acp }) => acp !== undefined, takesModel: false, reportsSkills: true },
  {
    name: 'claude-code',
    accepts: ({ builtin }) => builtin?.type === 'claude-code',
    takesModel: true,
    reportsSkills: true,
  },
  {
    name: 'llm',
    accepts: ({ builtin }) => builtin !== undefined,
    takesModel: true,
    reportsSkills: false,
  },
  {
    name: 'command',
    accepts: ({ commands }) => commands !== undefined,
    takesModel: false,
    reportsSkills: false,
  },
];

/** The kind of an agent; undefined for an Agent file with problems. */
export function findAgentKind(data: AgentData): AgentKind | undefined {
  return agentKinds.find(({ accepts }) => accepts(data));
}
