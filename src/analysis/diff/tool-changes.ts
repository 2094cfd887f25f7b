import { isObject, isSameJson } from '../../base/json.js';
import { formatServerName, type ServerRecord } from '../../results/results-header.js';
import { boundName } from '../bounded-text.js';
import type { ToolChange } from './results-diff.js';

type Definition = Readonly<Record<string, unknown>>;
type Tools = Map<string, Definition>;

/** Further parts of a tool are only counted. */
const maxParts = 20;

/** Finds tools that were offered on one side only, or with another definition. */
export function findToolChanges(
  base: readonly ServerRecord[],
  current: readonly ServerRecord[],
): ToolChange[] {
  // If each side has one MCP config, its name does not matter.
  const nameOf = [base, current].every((side) => countConfigs(side) <= 1)
    ? ({ name }: ServerRecord) => name
    : formatServerName;
  const before = groupTools(base, nameOf);
  const now = groupTools(current, nameOf);
  // Results without lists of tools say nothing about changes.
  if (before.size === 0 || now.size === 0) return [];
  const servers = [...new Set([...before.keys(), ...now.keys()])].sort();
  return servers.flatMap((server) =>
    compareTools(before.get(server) ?? new Map(), now.get(server) ?? new Map()).map((change) => ({
      server: boundName(server),
      ...change,
    })),
  );
}

function countConfigs(servers: readonly ServerRecord[]): number {
  return new Set(servers.map(({ mcpConfigFile }) => mcpConfigFile)).size;
}

/** Tools by server; if several files have a server, the last one counts. */
function groupTools(
  servers: readonly ServerRecord[],
  nameOf: (server: ServerRecord) => string,
): Map<string, Tools> {
  const offered = new Map<string, Tools>();
  for (const server of servers) {
    const { tools, allowedTools } = server;
    if (!tools) continue;
    const allowed = allowedTools && new Set(allowedTools);
    const definitions = tools.flatMap((tool): [string, Definition][] =>
      isObject(tool) && typeof tool.name === 'string' && allowed?.has(tool.name) !== false
        ? [[tool.name, tool]]
        : [],
    );
    offered.set(nameOf(server), new Map(definitions));
  }
  return offered;
}

function compareTools(before: Tools, now: Tools): Omit<ToolChange, 'server'>[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort();
  return names.flatMap((name): Omit<ToolChange, 'server'>[] => {
    const was = before.get(name);
    const is = now.get(name);
    const tool = boundName(name);
    if (!was) return [{ tool, change: 'added', parts: [] }];
    if (!is) return [{ tool, change: 'removed', parts: [] }];
    const parts = findDifferingParts(was, is);
    return parts.length === 0 ? [] : [{ tool, change: 'redefined', parts: limitParts(parts) }];
  });
}

function limitParts(parts: readonly string[]): string[] {
  const shown = parts.slice(0, maxParts).map(boundName);
  const rest = parts.length - shown.length;
  return rest > 0 ? [...shown, `${rest} more`] : shown;
}

/** Parts that are compared member by member. */
const opened = new Set(['inputSchema', 'inputSchema.properties', 'outputSchema']);

function findDifferingParts(was: Definition, is: Definition, path = ''): string[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.flatMap((key) => {
    const [before, now] = [getOwnValue(was, key), getOwnValue(is, key)];
    if (isSameJson(before, now)) return [];
    const part = `${path}${key}`;
    return opened.has(part) && isObject(before) && isObject(now)
      ? findDifferingParts(before, now, `${part}.`)
      : [part];
  });
}

function getOwnValue(definition: Definition, key: string): unknown {
  return Object.hasOwn(definition, key) ? definition[key] : undefined;
}
