import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentServer, AgentTask } from '../src/agents/agent.js';
import { createClaudeCodeAgent } from '../src/agents/claude-code/claude-code-agent.js';
import { createCommandAgent } from '../src/agents/command/command-agent.js';
import type { RunnableCommands } from '../src/agents/command/run-command.js';
import type { AgentData } from '../src/config/schemas/agent-schema.js';
import type { AgentStep } from '../src/journal/step-events.js';
import { onLoneTestFinished } from './test-end.js';

/** A task for an agent, with folders that are gone after the test, and the steps it reports. */
export function agentTask(changes: Partial<AgentTask> = {}): AgentTask & { steps: AgentStep[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-task-'));
  onLoneTestFinished(() => rmSync(folder, { recursive: true }));
  const [workdir, privateFolder] = [path.join(folder, 'work'), path.join(folder, 'private')];
  mkdirSync(workdir);
  mkdirSync(privateFolder, { mode: 0o700 });
  const steps: AgentStep[] = [];
  return {
    prompt: 'Say hello.',
    servers: [],
    workdir,
    privateFolder,
    environment: { PATH: process.env.PATH },
    signal: new AbortController().signal,
    report: (step) => steps.push(step),
    ...changes,
    steps,
  };
}

/** A server as an agent sees it; nobody is there. */
export function agentServer(name: string, ...allowedTools: string[]): AgentServer {
  return { name, url: `http://127.0.0.1:1234/token/${name}`, allowedTools };
}

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

const folder = path.resolve(import.meta.dirname, '../test/fixtures/agents/claude-code');

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
