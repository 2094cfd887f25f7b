import type { Agent, AgentDefinition, AgentResult, AgentTask } from '../agent.js';
import { commandEnvironment } from '../command/command-environment.js';
import { type RunnableCommands, runCommand } from '../command/run-command.js';
import { TextAnswer } from '../command/text-answer.js';
import { AgentLog } from '../program/agent-log.js';
import { runAgentProcess } from '../program/agent-process.js';
import { writeMcpConfig } from '../program/mcp-config.js';
import { orNotStarted } from '../program/not-started.js';
import { allowedToolOptions } from './allowed-tools.js';
import { claudeReadiness } from './claude-readiness.js';
import {
  type ClaudeSettings,
  claudeVariables,
  modelOptions,
  overridden,
} from './claude-settings.js';
import { StreamReader } from './stream-reader.js';
import { streamResult } from './stream-result.js';

/** Claude Code: the program `claude`, in print mode. */
export function createAgent({ name, data }: AgentDefinition): Agent {
  const { builtin, commands = {}, metadata } = data;
  if (builtin === undefined) throw new Error(`the agent ${name} is no builtin`);
  const settings = { builtin, commands };
  return {
    identity: {
      name,
      type: 'claude-code',
      ...(builtin.model !== undefined && { model: builtin.model }),
      ...(metadata?.version !== undefined && { version: metadata.version }),
    },
    billing: () => (overridden(settings) ? undefined : { by: 'agent' }),
    prepare: (context) => claudeReadiness(settings, context),
    run(task) {
      const env = claudeVariables(settings, task.environment);
      const own = overridden(settings);
      return orNotStarted(() =>
        own ? runOverridden(name, { ...own, env }, task) : runClaude(name, settings, env, task),
      );
    },
  };
}

async function runClaude(
  name: string,
  settings: ClaudeSettings,
  env: Record<string, string>,
  task: AgentTask,
): Promise<AgentResult> {
  const { servers, privateFolder, workdir, prompt, signal } = task;
  const { mcpTransport, useVirtualHome } = settings.commands;
  const log = new AgentLog(task.report);
  const reader = new StreamReader(task.report, (line) => log.push(Buffer.from(`${line}\n`)));
  const end = await runAgentProcess({
    command: 'claude',
    args: [
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...['--mcp-config', await writeMcpConfig(privateFolder, servers, mcpTransport)],
      '--strict-mcp-config',
      ...allowedToolOptions(servers, privateFolder),
      ...modelOptions(settings),
    ],
    cwd: workdir,
    environment: await commandEnvironment(task, { env, useVirtualHome }),
    input: prompt,
    signal,
    onOutput: (chunk) => reader.push(chunk),
    onLog: (chunk) => log.push(chunk),
  });
  reader.end();
  return streamResult(name, reader.summary, { end, log: log.end() });
}

/** A command line of the user's own: its answer is text, unless it turns out to be stream-json. */
async function runOverridden(
  name: string,
  commands: RunnableCommands,
  task: AgentTask,
): Promise<AgentResult> {
  const reader = new StreamReader(task.report);
  const answer = new TextAnswer();
  const end = await runCommand(commands, task, (chunk) => {
    answer.push(chunk);
    reader.push(chunk);
  });
  reader.end();
  return reader.summary.isStream
    ? streamResult(name, reader.summary, end)
    : answer.result(name, end, task.report);
}
