import type { AgentServer } from '../agent.js';
import { prepareBridge } from './bridge-command.js';
import { writePrivateFile } from './private-file.js';

/** Writes the file that says where an agent's MCP servers are, as MCP clients write it. */
export async function writeMcpConfig(
  folder: string,
  servers: readonly AgentServer[],
  transport: 'http' | 'stdio' = 'http',
): Promise<string> {
  const bridgeTo = transport === 'stdio' ? await prepareBridge(folder) : undefined;
  const entries = servers.map(({ name, url }): [string, object] => [
    name,
    bridgeTo ? { type: 'stdio', ...bridgeTo(url) } : { type: 'http', url },
  ]);
  const config = { mcpServers: Object.fromEntries(entries) };
  return writePrivateFile(folder, 'mcp-servers.json', JSON.stringify(config, undefined, 2));
}
