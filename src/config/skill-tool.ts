import type { AgentData } from './schemas/agent-schema.js';

/** The agent's own tool that loads a skill; most have taken over Claude Code's name for it. */
export function skillToolOf(agent: AgentData | undefined): string {
  return agent?.skills?.toolName ?? 'Skill';
}
