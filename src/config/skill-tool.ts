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

/** Whether it is known which skills an agent loads: others have no tools of their own, or tell nothing. */
export function tellsOfSkills({ builtin, acp }: AgentData): boolean {
  return builtin ? builtin.type === 'claude-code' : acp !== undefined;
}
