import type { Agent, AgentDefinition } from '../agent.js';
import { orNotStarted } from '../program/not-started.js';
import { commandReadiness } from './command-readiness.js';
import { runCommand } from './run-command.js';
import { TextAnswer } from './text-answer.js';

/** An agent that is any command line. */
export function createAgent({ name, data }: AgentDefinition): Agent {
  const runPrompt = data.commands?.runPrompt;
  if (runPrompt === undefined) throw new Error(`the agent ${name} has no runPrompt`);
  const commands = { ...data.commands, runPrompt };
  const version = data.metadata?.version;
  return {
    identity: { name, type: 'command', ...(version !== undefined && { version }) },
    billing: () => ({ by: 'silence' }),
    prepare: (context) => commandReadiness(commands, context),
    run: (task) =>
      orNotStarted(async () => {
        const answer = new TextAnswer();
        const end = await runCommand(commands, task, (chunk) => answer.push(chunk));
        return answer.result(name, end, task.report);
      }),
  };
}
