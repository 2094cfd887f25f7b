import type { AgentServer } from '../agent.js';
import { writePrivateFile } from './private-file.js';
import { proctorLauncher } from './proctor-launcher.js';

/** Writes the file that tells an agent where its MCP servers are, as MCP clients write it. */
export async function writeMcpConfig(
  folder: string,
  servers: readonly AgentServer[],
  transport: 'http' | 'stdio' = 'http',
): Promise<string> {
  const entries = servers.map(({ name, url }): [string, object] => [
    name,
    transport === 'http' ? { type: 'http', url } : bridgeTo(url),
  ]);
  const config = { mcpServers: Object.fromEntries(entries) };
  return writePrivateFile(folder, 'mcp-servers.json', JSON.stringify(config, undefined, 2));
}

function bridgeTo(url: string): object {
  return {
    type: 'stdio',
    command: process.execPath,
    args: [proctorLauncher(), 'bridge', url],
  };
}
