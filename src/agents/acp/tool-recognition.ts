import type { AgentServer } from '../agent.js';
import type { ToolCall } from './tool-call.js';

/**
 * Whether a call is one of an MCP tool that the agent may use. The protocol does not say which tool
 * a call is of, so this goes by the names that agents give to MCP tools:
 *
 *   mcp__server__tool            claude-agent-acp
 *   mcp_server_tool              gemini, in ids
 *   tool (server MCP Server)     gemini, in titles
 *   server_tool                  opencode
 *   server-tool                  copilot
 *   Tool: server/tool            codex-acp
 *
 * The tool's name alone is not enough: an agent may have a `read_file` of its own.
 */
export function isAllowedTool(call: ToolCall, servers: readonly AgentServer[]): boolean {
  const identifiers = namesOf(call).map(identifier);
  const { title } = call;
  return servers.some(({ name: server, allowedTools }) =>
    allowedTools.some((tool) => {
      const name = identifier(`${server}_${tool}`);
      return (
        identifiers.includes(name) ||
        identifiers.includes(`mcp_${name}`) ||
        title === `${tool} (${server} MCP Server)` ||
        title === `Tool: ${server}/${tool}`
      );
    }),
  );
}

/** For want of a name, the title may be one. Text of several words is none, and not made one. */
function namesOf({ names, title, kind }: ToolCall): readonly string[] {
  if (names.length > 0) return names;
  const isName = title !== undefined && !/\s/.test(title) && !ownKinds.has(kind ?? '');
  return isName ? [title] : [];
}

/** Here the title is a command line, a path or an address, and could look like a name. */
const ownKinds: ReadonlySet<string> = new Set([
  'execute',
  'edit',
  'delete',
  'move',
  'fetch',
  'switch_mode',
]);

/** Agents replace what their models do not take in a name, each in its own way. */
function identifier(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '_');
}
