import type { AgentCall } from './check.js';

/** A call of one of the agent's own tools, by its own account. */
interface OwnToolCall {
  tool: string;
  args: unknown;
  /** It was refused or went wrong: nothing was loaded. */
  failed?: boolean;
}

/** The skill that an agent loads with a tool of its own, as assertions see it. */
export function skillCall(
  { tool, args, failed = false }: OwnToolCall,
  skillTool: string,
): AgentCall | undefined {
  const name = tool === skillTool ? skillName(args) : undefined;
  if (name === undefined) return undefined;
  return { call: 0, kind: 'skill', server: '', name, args, isError: failed, blocked: failed };
}

/** Agents do not agree on what the argument is called. */
function skillName(args: unknown): string | undefined {
  const { skill, name, command } = (args ?? {}) as Record<string, unknown>;
  return [skill, name, command].find((each) => typeof each === 'string');
}
