import path from 'node:path';
import { createClaudeCodeAgent } from '../../src/agents/claude-code/claude-code-agent.js';
import type { AgentData } from '../../src/config/schemas/agent-schema.js';

const folder = path.resolve(import.meta.dirname, '../fixtures/agents/claude-code');

/** Has a stand-in for Claude Code on its PATH, which replays a recorded stream. */
export function standInEnvironment(
  stream: string,
  variables: Record<string, string> = {},
): NodeJS.ProcessEnv {
  return {
    PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
    STAND_IN_STREAM: path.join(folder, 'streams', `${stream}.jsonl`),
    ...variables,
  };
}

export function claudeAgent(
  builtin: Partial<AgentData['builtin']> = {},
  commands: AgentData['commands'] = undefined,
) {
  return createClaudeCodeAgent({
    name: 'claude',
    data: { kind: 'Agent', builtin: { ...builtin, type: 'claude-code' }, commands },
  });
}
