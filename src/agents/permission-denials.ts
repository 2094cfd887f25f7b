import type { AgentServer, PermissionDenial } from './agent.js';

/** Makes names of tools comparable: agents replace characters that their models do not accept. */
export function toIdentifier(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** Adds the reason to a denial, where it can be known and is missing. */
export function explainDenial(
  denial: PermissionDenial,
  servers: readonly AgentServer[],
): PermissionDenial {
  if (denial.reason !== undefined) return denial;
  const { tool } = denial;
  for (const isNamed of [isNameWithServer, isNameAlone]) {
    const isAmong = (server: AgentServer, tools: readonly string[] = []) =>
      tools.some((candidate) => isNamed(tool, server, candidate));
    if (servers.some((server) => isAmong(server, server.allowedTools))) return denial;
    const owner = servers.find((server) => isAmong(server, server.restriction?.tools));
    if (owner?.restriction) return { ...denial, reason: `not allowed by ${owner.restriction.by}` };
  }
  const mayBeOfServer =
    toIdentifier(tool).startsWith('mcp_') || servers.some((server) => isLikeToolOf(server, tool));
  return mayBeOfServer ? denial : { ...denial, reason: 'not a tool of the MCP servers' };
}

/** Lists the names that agents give to a tool of a server: identifiers and titles. */
export function listAgentNames(
  server: string,
  tool: string,
): { identifiers: readonly string[]; titles: readonly string[] } {
  const name = toIdentifier(`${server}_${tool}`);
  return {
    identifiers: [name, `mcp_${name}`],
    titles: [`${tool} (${server} MCP Server)`, `Tool: ${server}/${tool}`],
  };
}

function isNameWithServer(name: string, { name: server }: AgentServer, tool: string): boolean {
  const { identifiers, titles } = listAgentNames(server, tool);
  return identifiers.includes(toIdentifier(name)) || titles.includes(name);
}

function isNameAlone(name: string, _server: AgentServer, tool: string): boolean {
  return toIdentifier(name) === toIdentifier(tool);
}

/** Whether a name looks like an unknown tool of a known server. */
function isLikeToolOf({ name: server }: AgentServer, tool: string): boolean {
  const name = toIdentifier(tool);
  const start = `${toIdentifier(server)}_`;
  return (
    name.startsWith(start) ||
    name.startsWith(`mcp_${start}`) ||
    tool.startsWith(`Tool: ${server}/`) ||
    tool.endsWith(` (${server} MCP Server)`)
  );
}
