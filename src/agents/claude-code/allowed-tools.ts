import type { AgentServer } from '../agent.js';
import { writePrivateFile } from '../program/private-file.js';

/** With some distance to what a single argument can hold. */
const maxArgumentLength = 64 * 1024;

/** The options that let Claude Code use the tools without asking. Throws NotStarted. */
export function allowedToolOptions(servers: readonly AgentServer[], folder: string): string[] {
  const tools = servers.flatMap(({ name, allowedTools }) =>
    allowedTools.map((tool) => `mcp__${inClaude(name)}__${inClaude(tool)}`),
  );
  if (tools.length === 0) return [];
  const joined = tools.join(',');
  if (joined.length <= maxArgumentLength) return ['--allowedTools', joined];
  const settings = JSON.stringify({ permissions: { allow: tools } });
  return ['--settings', writePrivateFile(folder, 'claude-settings.json', settings)];
}

/** Claude Code's own spelling of a name; a rule in another one matches nothing, or something else. */
function inClaude(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}
