import { resolve } from 'node:path';
import { findHeaderProblem, isHttpUrl } from '../../base/http/http-syntax.js';
import { isObject } from '../../base/json.js';
import { type Environment, expandVariables } from '../placeholders/environment-variables.js';
import type { McpServerData } from '../schemas/mcp-config-schema.js';
import type { McpConfig } from './mcp-config-file.js';
import { findTaskRunSettings, sampleValues } from './task-run-settings.js';

/** A server given by MCP_* variables, or what is wrong with them; undefined if none is set. */
export type McpEnvironment = { config: McpConfig } | { variable: string; reason: string };

/**
 * For evals without an MCP config file: MCP_URL, or MCP_HOST / MCP_PORT / MCP_PATH, or MCP_COMMAND
 * with MCP_ARGS and MCP_ENV; MCP_HEADERS, MCP_SERVER_NAME, MCP_ENABLE_ALL_TOOLS.
 */
export function readMcpEnvironment(environment: Environment): McpEnvironment | undefined {
  const get = (name: string) => environment[name] || undefined;
  const url = get('MCP_URL') ?? buildAddress(get);
  const command = get('MCP_COMMAND');
  const data: McpServerData = {};
  if (url !== undefined) {
    const sample = expandVariables(url, noVariables, sampleValues).value;
    if (!isHttpUrl(String(sample))) {
      const variable = get('MCP_URL') ? 'MCP_URL' : get('MCP_PORT') ? 'MCP_PORT' : 'MCP_HOST';
      return { variable, reason: 'does not make an http or https address' };
    }
    data.url = url;
    const headers = parseTextMap(get('MCP_HEADERS'));
    if (headers === 'invalid') return { variable: 'MCP_HEADERS', reason: notATextMap };
    for (const [name, value] of Object.entries(headers ?? {})) {
      const problem = findHeaderProblem(name, value);
      if (problem !== undefined) return { variable: 'MCP_HEADERS', reason: `is wrong: ${problem}` };
    }
    if (headers) data.headers = headers;
  } else if (command !== undefined) {
    data.command = command;
    const args = parseList(get('MCP_ARGS'));
    if (args === 'invalid') return { variable: 'MCP_ARGS', reason: 'is not a JSON array of text' };
    if (args) data.args = args;
    const env = parseTextMap(get('MCP_ENV'));
    if (env === 'invalid') return { variable: 'MCP_ENV', reason: notATextMap };
    if (env) data.env = env;
  } else {
    return undefined;
  }
  const allTools = get('MCP_ENABLE_ALL_TOOLS') ?? 'true';
  if (!/^(true|false|1|0)$/i.test(allTools)) {
    return { variable: 'MCP_ENABLE_ALL_TOOLS', reason: 'is neither true nor false' };
  }
  data.enableAllTools = /^(true|1)$/i.test(allTools);
  const name = get('MCP_SERVER_NAME') ?? 'default';
  const transport = data.url === undefined ? 'stdio' : 'http';
  const perTaskRun = findTaskRunSettings(data, data, noVariables, resolve);
  const server = { name, transport, data, ...(perTaskRun && { perTaskRun }) } as const;
  const restrictedBy = 'MCP_ENABLE_ALL_TOOLS=false';
  const servers = [data.enableAllTools ? server : { ...server, restrictedBy }];
  return { config: { servers, disabled: [] } };
}

/** `${NAME}` means nothing here: a shell has expanded what there was to expand. */
const noVariables: Environment = {};

const notATextMap = 'is not a JSON object of texts';

function buildAddress(get: (name: string) => string | undefined): string | undefined {
  const [host, port, path] = [get('MCP_HOST'), get('MCP_PORT'), get('MCP_PATH')];
  if (host === undefined && port === undefined) return undefined;
  const route = path ?? '/mcp';
  const authority = port === undefined ? '' : `:${port}`;
  const name = host?.includes(':') && !host.startsWith('[') ? `[${host}]` : (host ?? 'localhost');
  return `http://${name}${authority}${route.startsWith('/') ? '' : '/'}${route}`;
}

function parseTextMap(text: string | undefined): Record<string, string> | undefined | 'invalid' {
  if (text === undefined) return undefined;
  const value = tryParseJson(text);
  const isTextMap =
    isObject(value) && Object.values(value).every((item) => typeof item === 'string');
  return isTextMap ? (value as Record<string, string>) : 'invalid';
}

/** A JSON array, or texts with commas between them. */
function parseList(text: string | undefined): string[] | undefined | 'invalid' {
  if (text === undefined) return undefined;
  if (!text.trimStart().startsWith('[')) return text.split(',').map((part) => part.trim());
  const value = tryParseJson(text);
  const isTextList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isTextList ? value : 'invalid';
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
