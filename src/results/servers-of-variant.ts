import type { ResultsHeader, ServerRecord } from './results-header.js';

/** The servers that the task runs of a variant had; those of several MCP configs differ. */
export function serversOfVariant(
  { mcpServers, variants }: Pick<ResultsHeader, 'mcpServers' | 'variants'>,
  variant: string | null,
): ServerRecord[] {
  const known = variants.find(({ name }) => name === variant);
  return mcpServers.filter(
    ({ mcpConfigFile }) => mcpConfigFile === undefined || mcpConfigFile === known?.mcpConfigFile,
  );
}
