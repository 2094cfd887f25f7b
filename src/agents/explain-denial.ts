import type { AgentServer, PermissionDenial } from './agent.js';

/** Agents replace what their models do not take in a name, each in its own way. */
export function identifierOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** Adds to a denial why the agent did not get the tool, where that can be known and is not said yet. */
export function explainDenial(
  denial: PermissionDenial,
  servers: readonly AgentServer[],
): PermissionDenial {
  if (denial.reason !== undefined) return denial;
  const { tool } = denial;
  for (const isNamed of [isNameWithServer, isNameAlone]) {
    const isAmong = (server: AgentServer, tools: readonly string[] = []) =>
      tools.some((each) => isNamed(tool, server, each));
    if (servers.some((server) => isAmong(server, server.allowedTools))) return denial;
    const owner = servers.find((server) => isAmong(server, server.restriction?.tools));
    if (owner?.restriction) return { ...denial, reason: `not allowed by ${owner.restriction.by}` };
  }
  const mayBeOfServer =
    identifierOf(tool).startsWith('mcp_') || servers.some((server) => isLikeOneOf(server, tool));
  return mayBeOfServer ? denial : { ...denial, reason: 'not a tool of the MCP servers' };
}

/** The names that agents give to a tool of a server: as identifiers, and as titles. */
export function agentNamesOf(
  server: string,
  tool: string,
): { identifiers: readonly string[]; titles: readonly string[] } {
  const name = identifierOf(`${server}_${tool}`);
  return {
    identifiers: [name, `mcp_${name}`],
    titles: [`${tool} (${server} MCP Server)`, `Tool: ${server}/${tool}`],
  };
}

function isNameWithServer(name: string, { name: server }: AgentServer, tool: string): boolean {
  const { identifiers, titles } = agentNamesOf(server, tool);
  return identifiers.includes(identifierOf(name)) || titles.includes(name);
}

function isNameAlone(name: string, _server: AgentServer, tool: string): boolean {
  return identifierOf(name) === identifierOf(tool);
}

/** Of a server that is known, a tool that is not. */
function isLikeOneOf({ name: server }: AgentServer, tool: string): boolean {
  const name = identifierOf(tool);
  const start = `${identifierOf(server)}_`;
  return (
    name.startsWith(start) ||
    name.startsWith(`mcp_${start}`) ||
    tool.startsWith(`Tool: ${server}/`) ||
    tool.endsWith(` (${server} MCP Server)`)
  );
}
