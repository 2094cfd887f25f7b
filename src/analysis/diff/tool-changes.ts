import { isObject, isSameJson } from '../../base/json.js';
import { formatServerName, type ServerRecord } from '../../results/results-header.js';
import { boundName } from '../bounded-text.js';
import type { ToolChange } from './results-diff.js';

type Definition = Readonly<Record<string, unknown>>;
type Tools = Map<string, Definition>;

/** More parts of one tool nobody reads. */
const maxParts = 20;

/** Which tools the agent was offered on one side only, or with another definition. */
export function findToolChanges(
  base: readonly ServerRecord[],
  current: readonly ServerRecord[],
): ToolChange[] {
  // Where each side has one MCP config, it does not matter what that is called.
  const nameOf = [base, current].every((side) => countConfigs(side) <= 1)
    ? ({ name }: ServerRecord) => name
    : formatServerName;
  const before = groupTools(base, nameOf);
  const now = groupTools(current, nameOf);
  // Results that tell of no tools say nothing about what changed.
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

/** By server. Of several files that tell of one, the last has it. */
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

/** Of a schema, its members and its parameters one by one. */
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
