import { didYouMean } from '../../base/nearest.js';
import type { McpConfig } from '../../config/files/mcp-config-file.js';
import type { Problems } from '../../config/problems/problem.js';
import type { DataPath, SourceFile } from '../../config/yaml/source-file.js';

/** A server that the MCP config does not have, or has switched off. */
export function reportUnknownServer(
  file: SourceFile,
  path: DataPath,
  server: string,
  mcp: McpConfig | undefined,
  problems: Problems,
): void {
  // A server whose settings are wrong is reported there.
  if (mcp?.source?.isFaulty(['mcpServers', server])) return;
  const names = (mcp?.servers ?? []).map(({ name }) => name);
  const isDisabled = mcp?.disabled.includes(server);
  const config = mcp?.source ? `the MCP config ${mcp.source.name}` : 'the MCP config';
  const message = isDisabled
    ? `the server ${server} is disabled in ${config}`
    : `${config} has no server ${server}`;
  const hint = didYouMean(server, names) ?? `it has ${names.join(', ') || 'none'}`;
  problems.atValue(file, path, 'unknown-server', message, hint);
}
