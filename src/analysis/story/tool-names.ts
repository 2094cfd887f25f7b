/**
 * The names under which agents tell of a tool of a server, as identifiers:
 *
 *   mcp__server__tool            Claude Code
 *   mcp_server_tool              gemini
 *   tool (server MCP Server)     gemini, in titles
 *   server_tool, server-tool     opencode, copilot
 *   server.tool                  scripted agents
 *   Tool: server/tool            codex
 */
export function namesWithServer(server: string, tool: string): string[] {
  const name = identifier(`${server}_${tool}`);
  return [name, `mcp_${name}`, `Tool_${name}`, identifier(`${tool} (${server} MCP Server)`)];
}

/** Agents replace what their models do not take in a name, each in its own way. */
export function identifier(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '_');
}
