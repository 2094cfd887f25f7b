import {
  type ItemList,
  listKinds,
  type PlacedAssertions,
} from '../../config/files/assertion-items.js';
import {
  allowsTool,
  listAllowedTools,
  type McpServer,
} from '../../config/files/mcp-config-file.js';
import { compilePattern } from '../../config/patterns/pattern.js';
import type { Problems } from '../../config/problems/problem.js';
import type { DataPath } from '../../config/yaml/source-file.js';
import type { Suite } from '../suite.js';
import { reportUnknownServer } from './unknown-server.js';

/** The lists whose items name a server: all but those about skills. */
const serverLists = [
  ...(Object.keys(listKinds) as ItemList[]).filter((list) => listKinds[list] !== 'skill'),
  'callOrder',
] as const;

/** Servers that assertions name must be there, and must allow what is required of them. */
export function checkAssertionServers(suite: Suite, problems: Problems): void {
  if (suite.mcpUnknown) return;
  const servers = new Map((suite.mcp?.servers ?? []).map((server) => [server.name, server]));
  const own = suite.tasks.flatMap(({ task }) => task.assertions);
  for (const assertions of [...suite.setAssertions, ...own]) {
    for (const list of serverLists) {
      const items = (assertions.data[list] ?? []) as { server: string }[];
      for (const [index, { server }] of items.entries()) {
        const path = [...assertions.path, list, index, 'server'];
        if (servers.has(server) || assertions.file.isFaulty(path)) continue;
        reportUnknownServer(assertions.file, path, server, suite.mcp, problems);
      }
    }
    checkAllowed(assertions, servers, problems);
  }
}

interface RequiredTool {
  server: string;
  tool?: string | undefined;
  toolPattern?: string | undefined;
}

/** The proxy blocks what is not allowed, and a blocked call counts for no requirement. */
function checkAllowed(
  { file, path, data }: PlacedAssertions,
  servers: ReadonlyMap<string, McpServer>,
  problems: Problems,
) {
  const report = (at: DataPath, item: RequiredTool) => {
    const [what, hint] =
      item.tool === undefined
        ? [
            item.toolPattern ? `a tool like ${item.toolPattern}` : 'a tool',
            'add one to alwaysAllow',
          ]
        : [item.tool, `add ${item.tool} to alwaysAllow`];
    const message = `${what} of ${item.server} is required, and the MCP config does not allow it`;
    problems.atValue(file, [...path, ...at], 'tool-not-allowed', message, hint);
  };
  const refused = (at: DataPath, item: RequiredTool) => {
    const server = servers.get(item.server);
    const isFaulty = file.isFaulty([...path, ...at]);
    return server !== undefined && !isFaulty && !mayMatch(item, server);
  };
  for (const [index, item] of (data.toolsUsed ?? []).entries()) {
    if (refused(['toolsUsed', index], item)) report(['toolsUsed', index, nameKey(item)], item);
  }
  for (const [index, item] of (data.callOrder ?? []).entries()) {
    if (item.type !== 'tool') continue;
    const { server, name, toolPattern } = item;
    const key = name === undefined ? 'toolPattern' : 'name';
    if (refused(['callOrder', index], { server, tool: name, toolPattern })) {
      report(['callOrder', index, key], { server, tool: name, toolPattern });
    }
  }
  const any = data.requireAny ?? [];
  if (any.length > 0 && any.every((item, index) => refused(['requireAny', index], item))) {
    for (const [index, item] of any.entries()) report(['requireAny', index, nameKey(item)], item);
  }
}

function nameKey(item: RequiredTool): string {
  if (item.tool !== undefined) return 'tool';
  return item.toolPattern === undefined ? 'server' : 'toolPattern';
}

function mayMatch({ tool, toolPattern }: RequiredTool, server: McpServer): boolean {
  const allowed = listAllowedTools(server.data);
  if (!allowed) return true;
  if (tool === undefined && toolPattern === undefined) return allowed.length > 0;
  if (tool !== undefined && allowsTool(server, tool)) return true;
  const compiled = toolPattern === undefined ? undefined : compilePattern(toolPattern);
  return compiled?.ok === true && allowed.some((name) => compiled.pattern.test(name));
}
