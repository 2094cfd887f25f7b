import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentTask } from '../agent.js';
import { agentEnvironment } from '../program/agent-environment.js';

interface OwnSettings {
  env?: Readonly<Record<string, string>> | undefined;
  useVirtualHome?: boolean | undefined;
}

/** What the agent's program finds in its environment: what it inherits, and its own on top. */
export async function commandEnvironment(
  task: AgentTask,
  { env = {}, useVirtualHome }: OwnSettings,
): Promise<NodeJS.ProcessEnv> {
  if (!useVirtualHome) return agentEnvironment(task, env);
  const home = path.join(task.privateFolder, 'home');
  await mkdir(home, { recursive: true, mode: 0o700 });
  return agentEnvironment(task, { HOME: home, ...env });
}
