import type { ServerRecord } from './results-header.js';

/** Of several MCP configs, each may have a server of this name, with other tools. */
export function serverInWords({
  name,
  mcpConfigFile,
}: Pick<ServerRecord, 'name' | 'mcpConfigFile'>): string {
  return mcpConfigFile === undefined ? name : `${name} (${mcpConfigFile})`;
}
