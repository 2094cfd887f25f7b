import { plural } from '../base/text.js';

/** Calls of one tool that the MCP config kept from its server. */
export interface BlockedTool {
  server: string;
  tool: string;
  calls: number;
  /** The setting that blocked the calls. Null: older results do not say. */
  blockedBy: string | null;
}

interface AnyCall {
  server: string;
  name?: string | undefined;
  blocked?: boolean | undefined;
  blockedBy?: string | undefined;
}

/** Agents may invent any number of names: calls of further tools are counted under an empty name. */
const maxTools = 100;

/** Counts the calls that were blocked, by tool and by the setting behind it. */
export class BlockedCalls {
  readonly #tools = new Map<string, BlockedTool>();

  /** Adds a call. Names have to be of bounded length. */
  addCall({ server, name = '', blocked, blockedBy }: AnyCall): void {
    if (!blocked) return;
    this.add({ server, tool: name, calls: 1, blockedBy: blockedBy ?? null });
  }

  add({ server, tool, calls, blockedBy }: BlockedTool): void {
    const key = JSON.stringify([server, tool, blockedBy]);
    const isOver = this.#tools.size >= maxTools && !this.#tools.has(key);
    const known = isOver
      ? this.#entry(JSON.stringify([server, '', blockedBy]), { server, tool: '', blockedBy })
      : this.#entry(key, { server, tool, blockedBy });
    known.calls += calls;
  }

  get tools(): BlockedTool[] {
    return [...this.#tools.values()];
  }

  #entry(key: string, tool: Omit<BlockedTool, 'calls'>): BlockedTool {
    const entry = this.#tools.get(key) ?? { ...tool, calls: 0 };
    this.#tools.set(key, entry);
    return entry;
  }
}

/** The most tools that one sentence names. */
const maxNamed = 10;

/** Says how many calls were blocked, of which tools and why, in a sentence for each setting. */
export function describeBlockedCalls(tools: readonly BlockedTool[]): string[] {
  const bySetting = new Map<string, BlockedTool[]>();
  for (const tool of tools) {
    const setting = tool.blockedBy ?? `the MCP config of ${tool.server}`;
    bySetting.set(setting, [...(bySetting.get(setting) ?? []), tool]);
  }
  return [...bySetting].map(([setting, all]) => {
    const named = all.map(({ server, tool, calls }) => ({
      name: `${server}.${tool || '?'}`,
      calls,
    }));
    return describeToolCalls(named, `blocked by ${setting}`);
  });
}

/** Calls of one tool, by the agent's own name, that the agent was not allowed to make. */
export interface DeniedTool {
  tool: string;
  calls: number;
  /** Null: not known. */
  reason: string | null;
}

/** Counts the calls that agents were not allowed to make, by tool and reason. */
export class DeniedCalls {
  readonly #tools = new Map<string, DeniedTool>();

  /** Adds a call. Names have to be of bounded length. */
  addCall(tool: string, reason: string | undefined): void {
    this.add({ tool, calls: 1, reason: reason ?? null });
  }

  add({ tool, calls, reason }: DeniedTool): void {
    const isKnown = this.#tools.has(JSON.stringify([tool, reason]));
    const kept =
      isKnown || this.#tools.size < maxTools ? { tool, reason } : { tool: '', reason: null };
    const key = JSON.stringify([kept.tool, kept.reason]);
    const entry = this.#tools.get(key) ?? { ...kept, calls: 0 };
    entry.calls += calls;
    this.#tools.set(key, entry);
  }

  get tools(): DeniedTool[] {
    return [...this.#tools.values()];
  }
}

/** Says how many calls were denied, of which tools and why, in a sentence for each reason. */
export function describeDeniedCalls(tools: readonly DeniedTool[]): string[] {
  const byReason = new Map<string | null, DeniedTool[]>();
  for (const tool of tools) byReason.set(tool.reason, [...(byReason.get(tool.reason) ?? []), tool]);
  return [...byReason].map(([reason, all]) => {
    const named = all.map(({ tool, calls }) => ({ name: tool || '?', calls }));
    const why = reason === null ? '' : ` (${reason})`;
    return describeToolCalls(named, `denied to the agent${why}`);
  });
}

function describeToolCalls(
  tools: readonly { name: string; calls: number }[],
  verb: string,
): string {
  const calls = tools.reduce((sum, tool) => sum + tool.calls, 0);
  const named = tools
    .toSorted((left, right) => right.calls - left.calls)
    .slice(0, maxNamed)
    .map(({ name, calls }) => `${name} (${calls})`);
  const more = tools.length > maxNamed ? [`${tools.length - maxNamed} more tools`] : [];
  const were = calls === 1 ? 'was' : 'were';
  return `${plural(calls, 'tool call')} ${were} ${verb}: ${[...named, ...more].join(', ')}`;
}
