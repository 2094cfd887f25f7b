import type { AgentTask } from '../../src/agents/agent.js';
import { createCommandAgent } from '../../src/agents/command/command-agent.js';
import type { RunnableCommands } from '../../src/agents/command/run-command.js';
import { agentTask } from './agent-task.js';

export function commandAgent(commands: RunnableCommands) {
  return createCommandAgent({ name: 'my-agent', data: { kind: 'Agent', commands } });
}

/** Gives a task to a command, and tells its result and what became of the task. */
export async function runCommandAgent(
  commands: RunnableCommands | string,
  changes: Partial<AgentTask> = {},
) {
  const task = agentTask(changes);
  const agent = commandAgent(typeof commands === 'string' ? { runPrompt: commands } : commands);
  return { ...(await agent.run(task)), task };
}
