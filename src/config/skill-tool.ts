import { findAgentKind } from './agent-kinds.js';
import type { AgentData } from './schemas/agent-schema.js';

/** The agent's own tool that loads a skill; most have taken over Claude Code's name for it. */
export function skillToolOf(agent: AgentData | undefined): string {
  return agent?.skills?.toolName ?? 'Skill';
}

/** Where in its working directory an agent looks for skills; undefined if nobody has said. */
export function skillMountPathOf(agent: AgentData): string | undefined {
  const isClaudeCode = [agent.builtin?.type, agent.metadata?.name].includes('claude-code');
  return agent.skills?.mountPath ?? (isClaudeCode ? '.claude/skills' : undefined);
}

/** Whether it is known which skills an agent loads. */
export function tellsOfSkills(agent: AgentData): boolean {
  return findAgentKind(agent)?.reportsSkills ?? false;
}
