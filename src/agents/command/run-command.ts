import type { AgentTask } from '../agent.js';
import { AgentLog } from '../program/agent-log.js';
import { type AgentProcessEnd, runAgentProcess } from '../program/agent-process.js';
import { writeMcpConfig } from '../program/mcp-config.js';
import { shellOf } from '../program/shell.js';
import { commandEnvironment } from './command-environment.js';
import { type Commands, commandLine } from './command-line.js';
import { checkLength } from './command-line-length.js';
import { deliverPrompt } from './prompt-delivery.js';

export type RunnableCommands = Commands & { runPrompt: string };

/** How a command ended, and the end of its log. */
export interface CommandEnd {
  end: AgentProcessEnd;
  log: string;
}

/** Gives a task to a command line. Throws NotStarted. */
export async function runCommand(
  commands: RunnableCommands,
  task: AgentTask,
  onOutput: (chunk: Buffer) => void,
): Promise<CommandEnd> {
  const { prompt, servers, privateFolder } = task;
  const configFile = await writeMcpConfig(privateFolder, servers, commands.mcpTransport);
  const line = commandLine(commands, { prompt, servers, configFile });
  const promptVariables = deliverPrompt(prompt, privateFolder, line.carriesPrompt);
  checkLength(line.text);
  const environment = { ...(await commandEnvironment(task, commands)), ...promptVariables };
  const log = new AgentLog(task.report);
  const end = await runAgentProcess({
    command: shellOf(environment),
    args: ['-c', line.text],
    cwd: task.workdir,
    environment,
    signal: task.signal,
    onOutput,
    onLog: (chunk) => log.push(chunk),
  });
  return { end, log: log.end() };
}
