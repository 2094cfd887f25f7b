import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentTask } from '../agent.js';

interface OwnSettings {
  env?: Readonly<Record<string, string>> | undefined;
  useVirtualHome?: boolean | undefined;
}

/** What the agent's program finds in its environment: what it inherits, and its own on top. */
export async function commandEnvironment(
  { environment, privateFolder }: AgentTask,
  { env, useVirtualHome }: OwnSettings,
): Promise<NodeJS.ProcessEnv> {
  if (!useVirtualHome) return { ...environment, ...env };
  const home = path.join(privateFolder, 'home');
  await mkdir(home, { recursive: true, mode: 0o700 });
  return { ...environment, HOME: home, ...env };
}
