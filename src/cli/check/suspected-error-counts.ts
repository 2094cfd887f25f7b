import type { McpCall } from '../../journal/mcp-events.js';
import { truncateSuspicion } from '../../results/suspected-errors.js';
import type { Redact } from './plan-summary.js';
import { beginningOf } from './text-parts.js';

/** Results of one tool that look like errors and are not marked as such. */
interface SuspectedTool {
  /** `server.tool`. */
  name: string;
  calls: number;
  suspected: number;
  /** The first one. */
  example: string;
}

/** An agent can think up names without end. */
const maxTools = 500;
const maxName = 200;

/** For the author of a server: which tools do not mark their errors. */
export class SuspectedErrorCounts {
  readonly #tools = new Map<string, SuspectedTool>();

  /** Every call of the agent is counted, so that a share can be told. */
  add({ kind, server, name = '' }: McpCall, suspicion: string | undefined, redact: Redact): void {
    if (kind !== 'tool') return;
    const key = JSON.stringify([server, name]);
    const known = this.#tools.get(key);
    if (!known && this.#tools.size === maxTools) return;
    const tool = known ?? {
      name: beginningOf(redact(`${server}.${name}`), maxName),
      calls: 0,
      suspected: 0,
      example: '',
    };
    this.#tools.set(key, tool);
    tool.calls += 1;
    if (suspicion === undefined) return;
    tool.suspected += 1;
    if (tool.example === '') tool.example = truncateSuspicion(redact(suspicion));
  }

  get all(): SuspectedTool[] {
    return [...this.#tools.values()].filter(({ suspected }) => suspected > 0);
  }
}
