import { checkShape, valueAt } from './check-shape.js';
import { type Environment, expandVariables } from './environment-expansion.js';
import type { Problems } from './problem.js';
import { type NamedBy, readDataFile } from './read-data-file.js';
import { type McpServerData, mcpConfigSchema } from './schemas/mcp-config-schema.js';
import type { DataPath, SourceFile } from './source-file.js';

/** An enabled server. */
export interface McpServer {
  name: string;
  transport: 'http' | 'stdio' | 'sse';
  data: McpServerData;
}

/** The MCP servers of an eval, from a file or from MCP_* variables. */
export interface McpConfig {
  source?: SourceFile;
  servers: McpServer[];
}

export function allowsTool({ data }: McpServer, tool: string): boolean {
  return data.enableAllTools === true || (data.alwaysAllow?.includes(tool) ?? false);
}

/** Keys that only mean something for the other transport. */
const meaningless = {
  url: ['args', 'env', 'cwd'],
  command: ['headers'],
} as const;

export function readMcpConfigFile(
  path: string,
  environment: Environment,
  problems: Problems,
  namedBy?: NamedBy,
): McpConfig | undefined {
  const file = readDataFile(path, problems, namedBy);
  if (!file) return undefined;
  const { source } = file;
  const { value, unset } = expandVariables(file.data, environment);
  for (const variable of unset) {
    if (isDisabled(file.data, variable.path)) continue;
    const range = source.withinString(variable.path, variable.offset, variable.length);
    const message = `the environment variable ${variable.name} is not set`;
    const hint = `set it, or write \${${variable.name}:-default}`;
    problems.inText(source, range, 'unset-variable', message, hint);
  }
  const data = checkShape({ file: source, schema: mcpConfigSchema, value, problems });
  if (!data) return undefined;

  const servers: McpServer[] = [];
  for (const [name, server] of Object.entries(data.mcpServers)) {
    if (server.disabled) continue;
    checkServer(source, ['mcpServers', name], server, problems);
    servers.push({ name, transport: transportOf(server), data: server });
  }
  if (servers.length === 0) {
    const disabled = Object.keys(data.mcpServers).length > 0;
    const message = disabled ? 'every server is disabled' : 'there is no server';
    problems.atKey(source, ['mcpServers'], 'no-server', message);
  }
  return { source, servers };
}

/** A disabled server may use variables that are not set: nobody will need them. */
function isDisabled(data: unknown, [section, server]: DataPath): boolean {
  return valueAt(data, [section ?? '', server ?? '', 'disabled']) === true;
}

function transportOf({ type, url }: McpServerData): McpServer['transport'] {
  return type ?? (url === undefined ? 'stdio' : 'http');
}

function checkServer(
  source: SourceFile,
  path: DataPath,
  server: McpServerData,
  problems: Problems,
) {
  const { type, url, command } = server;
  const expected = url === undefined ? 'command' : 'url';
  if (type === 'stdio' ? url !== undefined : type !== undefined && command !== undefined) {
    const message = `type ${type} does not go with ${expected}`;
    problems.atValue(source, [...path, 'type'], 'conflicting-fields', message);
  }
  // What a variable that is not set leaves behind was reported already.
  if (url !== undefined && !url.includes('${') && !isHttpUrl(url)) {
    const message = `${JSON.stringify(url)} is not an http or https address`;
    problems.atValue(source, [...path, 'url'], 'invalid-url', message);
  }
  if (url !== undefined || command !== undefined) {
    for (const key of meaningless[expected]) {
      if (server[key] === undefined) continue;
      const message = `${key} means nothing beside ${expected}`;
      problems.atKey(source, [...path, key], 'unknown-key', message);
    }
  }
  if (server.enableAllTools !== true && (server.alwaysAllow ?? []).length === 0) {
    const message = `the agent may call no tool of ${path.at(-1)}`;
    const hint = 'set enableAllTools: true, or list tools in alwaysAllow';
    problems.atKey(source, path, 'server-allows-nothing', message, hint);
  }
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
