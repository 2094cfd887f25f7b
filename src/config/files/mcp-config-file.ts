import { basename } from 'node:path';
import { findHeaderProblem, isHttpUrl } from '../../base/http/http-syntax.js';
import { findNearest } from '../../base/nearest.js';
import {
  type Environment,
  expandVariables,
  findStrings,
  findTaskRunReferences,
  type TaskRunValues,
  workdirVariable,
} from '../placeholders/environment-variables.js';
import type { Problems } from '../problems/problem.js';
import { checkShape, getValue } from '../problems/shape-check.js';
import { type McpServerData, mcpConfigSchema } from '../schemas/mcp-config-schema.js';
import {
  type DataFile,
  type NamedBy,
  readDataFile,
  readKind,
  resolveFrom,
} from '../yaml/data-file.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';
import {
  canHoldTaskRunValue,
  checkTaskRunValues,
  findTaskRunSettings,
  sampleValues,
  type TaskRunSettings,
} from './task-run-settings.js';

/** An enabled server. */
export interface McpServer {
  name: string;
  transport: 'http' | 'stdio' | 'sse';
  data: McpServerData;
  /** The setting that restricts which tools the agent may call, in words: it explains blocked calls. */
  restrictedBy?: string;
  /** What in `data`, which has it as it is written, differs from task run to task run. */
  perTaskRun?: TaskRunSettings;
}

/** The server as one task run starts or reaches it. */
export function makeTaskRunServer(server: McpServer, values: TaskRunValues): McpServer {
  const { perTaskRun, data } = server;
  return perTaskRun ? { ...server, data: { ...data, ...perTaskRun.withValues(values) } } : server;
}

/** Whether a server can be reached only within a task run: its setup has to start it. */
export function isOnlyInTaskRun({ perTaskRun }: McpServer): boolean {
  return perTaskRun?.keys.has('url') ?? false;
}

/** The MCP servers of an eval, from a file or from MCP_* variables. */
export interface McpConfig {
  source?: SourceFile;
  servers: McpServer[];
  /** Names of servers that are there but switched off. */
  disabled: string[];
  /** The file's data with its references to variables, as they were before expansion. */
  written?: unknown;
}

/**
 * The tools that the agent may call; undefined: every tool. As with other MCP clients, a server that
 * says nothing allows everything; a list, or `enableAllTools: false`, restricts.
 */
export function listAllowedTools({
  enableAllTools,
  alwaysAllow,
}: McpServerData): readonly string[] | undefined {
  if (enableAllTools === true || (enableAllTools === undefined && alwaysAllow === undefined)) {
    return undefined;
  }
  return alwaysAllow ?? [];
}

export function allowsTool({ data }: McpServer, tool: string): boolean {
  return listAllowedTools(data)?.includes(tool) ?? true;
}

export function readMcpConfigFile(
  path: string,
  environment: Environment,
  problems: Problems,
  namedBy?: NamedBy,
): McpConfig | undefined {
  const file = readDataFile(path, problems, namedBy);
  if (!file) return undefined;
  const { source } = file;
  if (isOtherKind(file, problems)) return undefined;
  const { value, unset } = expandVariables(file.data, environment);
  for (const variable of unset) {
    if (isDisabled(file.data, variable.path)) continue;
    const { name, path, isNested } = variable;
    if (isNested) {
      const message = 'a default cannot hold another reference';
      problems.atPart(source, path, variable, 'invalid-value', message);
      continue;
    }
    const message = `the environment variable ${name} is not set`;
    const isMisspelt = findNearest(name, [workdirVariable]) !== undefined;
    const hint = isMisspelt
      ? `did you mean \${${workdirVariable}}, the working directory of the task run?`
      : `set it, or write \${${name}:-default}`;
    problems.atPart(source, path, variable, 'unset-variable', message, hint);
  }
  for (const { path, text } of findStrings(`\${${workdirVariable}`, file.data, [])) {
    if (canHoldTaskRunValue(path) || isDisabled(file.data, path)) continue;
    const [part] = findTaskRunReferences(text);
    if (!part) continue;
    const message = `\${${workdirVariable}} has no value here`;
    const hint = 'it has one in command, args, env, cwd, url and headers';
    problems.atPart(source, path, part, 'unset-variable', message, hint);
  }
  const data = checkShape({
    file: source,
    schema: mcpConfigSchema,
    value,
    written: file.data,
    problems,
  });
  if (!data) return undefined;

  const servers: McpServer[] = [];
  const disabled: string[] = [];
  for (const [name, server] of Object.entries(data.mcpServers)) {
    if (name.trim() === '') {
      problems.atKey(source, ['mcpServers', name], 'empty-value', 'a server has no name');
    }
    if (server.disabled) {
      disabled.push(name);
      continue;
    }
    const place = ['mcpServers', name];
    const resolveFolder = (folder: string) => resolveFrom(source, folder);
    const perTaskRun = findTaskRunSettings(
      server,
      getValue(file.data, place),
      environment,
      resolveFolder,
    );
    checkTaskRunValues(source, place, server, problems);
    checkServer(source, place, { ...server, ...perTaskRun?.withValues(sampleValues) }, problems);
    const { cwd } = server;
    const data = cwd === undefined ? server : { ...server, cwd: resolveFolder(cwd) };
    servers.push({
      name,
      transport: getTransport(server),
      data,
      ...findRestriction(source, name, server),
      ...(perTaskRun && { perTaskRun }),
    });
  }
  if (servers.length === 0 && !source.isFaulty(['mcpServers'])) {
    const message = disabled.length > 0 ? 'every server is disabled' : 'there is no server';
    problems.atKey(source, ['mcpServers'], 'no-server', message);
  }
  return { source, servers, disabled, written: file.data };
}

function findRestriction(source: SourceFile, name: string, server: McpServerData) {
  if (!listAllowedTools(server)) return undefined;
  const setting = server.alwaysAllow === undefined ? 'enableAllTools: false' : 'alwaysAllow';
  return { restrictedBy: `${setting} of ${name} in ${basename(source.path)}` };
}

/** The config has no kind of its own, but another kind of file is easily named by mistake. */
function isOtherKind({ source, data }: DataFile, problems: Problems): boolean {
  const kind = readKind(data);
  if (kind === undefined || getValue(data, ['mcpServers']) !== undefined) return false;
  const message = `expected an MCP config, found a file of kind ${String(kind)}`;
  problems.atValue(source, ['kind'], 'wrong-kind', message);
  return true;
}

/** A disabled server may use variables that are not set: they are not needed. */
function isDisabled(data: unknown, [section, server]: DataPath): boolean {
  return getValue(data, [section ?? '', server ?? '', 'disabled']) === true;
}

function getTransport({ type, url }: McpServerData): McpServer['transport'] {
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
  // Both at once is a problem of its own, and then nothing follows from either.
  const isClear = (url === undefined) !== (command === undefined);
  if (isClear && type !== undefined && (type === 'stdio') !== (url === undefined)) {
    const message = `type ${type} does not go with ${expected}`;
    problems.atValue(source, [...path, 'type'], 'conflicting-fields', message);
  }
  // What a variable that is not set leaves behind was reported already.
  if (url !== undefined && !url.includes('${') && !isHttpUrl(url)) {
    // The address itself is not shown: a variable in it may hold a secret.
    const message = 'this is not an http or https address';
    problems.atValue(source, [...path, 'url'], 'invalid-url', message);
  }
  for (const [name, value] of Object.entries(server.headers ?? {})) {
    const problem = findHeaderProblem(name, value);
    if (problem === undefined) continue;
    const hint = 'a header is one line of Latin-1 text, and its name one word of ASCII';
    problems.atKey(source, [...path, 'headers', name], 'invalid-header', problem, hint);
  }
  const isFaulty = ['enableAllTools', 'alwaysAllow'].some((key) => source.isFaulty([...path, key]));
  if (listAllowedTools(server)?.length === 0 && !isFaulty) {
    const key = server.alwaysAllow === undefined ? 'enableAllTools' : 'alwaysAllow';
    const message = `the agent may call no tool of ${path.at(-1)}`;
    const hint = `remove ${key} to allow every tool, or list tools in alwaysAllow`;
    problems.atKey(source, [...path, key], 'server-allows-nothing', message, hint);
  }
}
