import type { ServerRecord } from '../../results/results-header.js';
import { serverInWords } from '../../results/server-in-words.js';
import { boundedName } from '../summary/bounded-text.js';
import { isSameJson } from '../tools/same-json.js';
import type { ToolChange } from './results-diff.js';

type Definition = Readonly<Record<string, unknown>>;
type Tools = Map<string, Definition>;

/** More parts of one tool nobody reads. */
const mostParts = 20;

/** Which tools the agent was offered on one side only, or with another definition. */
export function toolChanges(
  base: readonly ServerRecord[],
  current: readonly ServerRecord[],
): ToolChange[] {
  // Where each side has one MCP config, it does not matter what that is called.
  const nameOf = [base, current].every((side) => configsOf(side) <= 1)
    ? ({ name }: ServerRecord) => name
    : serverInWords;
  const before = offeredBy(base, nameOf);
  const now = offeredBy(current, nameOf);
  // Results that tell of no tools say nothing about what changed.
  if (before.size === 0 || now.size === 0) return [];
  const servers = [...new Set([...before.keys(), ...now.keys()])].sort();
  return servers.flatMap((server) =>
    changesOf(before.get(server) ?? new Map(), now.get(server) ?? new Map()).map((change) => ({
      server: boundedName(server),
      ...change,
    })),
  );
}

function configsOf(servers: readonly ServerRecord[]): number {
  return new Set(servers.map(({ mcpConfigFile }) => mcpConfigFile)).size;
}

/** By server. Of several files that tell of one, the last has it. */
function offeredBy(
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

function changesOf(before: Tools, now: Tools): Omit<ToolChange, 'server'>[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort();
  return names.flatMap((name): Omit<ToolChange, 'server'>[] => {
    const was = before.get(name);
    const is = now.get(name);
    const tool = boundedName(name);
    if (!was) return [{ tool, change: 'added', parts: [] }];
    if (!is) return [{ tool, change: 'removed', parts: [] }];
    const parts = differingParts(was, is);
    return parts.length === 0 ? [] : [{ tool, change: 'redefined', parts: withRest(parts) }];
  });
}

function withRest(parts: readonly string[]): string[] {
  const shown = parts.slice(0, mostParts).map(boundedName);
  const rest = parts.length - shown.length;
  return rest > 0 ? [...shown, `${rest} more`] : shown;
}

/** Of a schema, its members and its parameters one by one. */
const opened = new Set(['inputSchema', 'inputSchema.properties', 'outputSchema']);

function differingParts(was: Definition, is: Definition, path = ''): string[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.flatMap((key) => {
    const [before, now] = [ownValue(was, key), ownValue(is, key)];
    if (isSameJson(before, now)) return [];
    const part = `${path}${key}`;
    return opened.has(part) && isObject(before) && isObject(now)
      ? differingParts(before, now, `${part}.`)
      : [part];
  });
}

function ownValue(definition: Definition, key: string): unknown {
  return Object.hasOwn(definition, key) ? definition[key] : undefined;
}

function isObject(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
