import { didYouMean } from '../../base/nearest.js';
import {
  type ItemList,
  itemKinds,
  type PlacedAssertions,
} from '../../config/files/assertion-items.js';
import {
  allowsTool,
  listAllowedTools,
  type McpConfig,
  type McpServer,
} from '../../config/files/mcp-config-file.js';
import { compilePattern } from '../../config/patterns/pattern.js';
import type { Problems } from '../../config/problems/problem.js';
import type { DataPath, SourceFile } from '../../config/yaml/source-file.js';
import type { Suite } from '../suite.js';

/** The lists whose items name a server: all but those about skills. */
const serverLists = [
  ...(Object.keys(itemKinds) as ItemList[]).filter((list) => itemKinds[list] !== 'skill'),
  'callOrder',
] as const;

/** Servers that assertions name must be there, and must allow what is required of them. */
export function checkAssertionServers(suite: Suite, problems: Problems): void {
  if (suite.mcpUnknown) return;
  const servers = new Map((suite.mcp?.servers ?? []).map((server) => [server.name, server]));
  const taskAssertions = suite.tasks.flatMap(({ definition }) => definition.assertions);
  for (const assertions of [...suite.setAssertions, ...taskAssertions]) {
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
    const [subject, hint] =
      item.tool === undefined
        ? [
            item.toolPattern ? `a tool like ${item.toolPattern}` : 'a tool',
            'add one to alwaysAllow',
          ]
        : [item.tool, `add ${item.tool} to alwaysAllow`];
    const message = `${subject} of ${item.server} is required, and the MCP config does not allow it`;
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

/** What a scripted agent is to do, and to call, must be there: it could not find out by itself. */
export function checkScriptedAgent(suite: Suite, problems: Problems): void {
  const { agentFile, mcp, mcpUnknown } = suite;
  if (!agentFile) return;
  checkRuleTasks(agentFile, suite.tasks, problems);
  if (mcpUnknown) return;
  const { source, data } = agentFile;
  const known = new Set(mcp?.servers.map(({ name }) => name));
  for (const [rule, { do: actions }] of (data.scripted ?? []).entries()) {
    for (const [index, action] of actions.entries()) {
      for (const kind of ['call', 'read', 'getPrompt'] as const) {
        const server = action[kind]?.server;
        const path = ['scripted', rule, 'do', index, kind, 'server'];
        if (server === undefined || known.has(server) || source.isFaulty(path)) continue;
        reportUnknownServer(source, path, server, mcp, problems);
      }
    }
  }
}

/** A rule for a task that there is not is never played. */
function checkRuleTasks(
  { source, data }: NonNullable<Suite['agentFile']>,
  tasks: Suite['tasks'],
  problems: Problems,
): void {
  const names = tasks.map(({ definition }) => definition.name);
  // Then something else is wrong, and says so.
  if (names.length === 0) return;
  for (const [rule, { task }] of (data.scripted ?? []).entries()) {
    if (task === undefined || names.includes(task)) continue;
    const message = `the eval has no task ${task}: this rule is never played`;
    problems.atValue(
      source,
      ['scripted', rule, 'task'],
      'unknown-task',
      message,
      didYouMean(task, names),
    );
  }
}

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
