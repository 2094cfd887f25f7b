import type { McpCall, Warning } from '../../../journal/mcp-events.js';
import { truncateSuspicion } from '../../../results/suspected-errors.js';
import { truncateText } from '../wording.js';
import type { Redact } from './plan-summary.js';

/** Warnings of one kind about one server, or about one script: the first one, and how many there were. */
export interface CountedWarning {
  server?: string;
  message: string;
  count: number;
}

const maxKinds = 50;
const maxMessage = 500;

/** Counts warnings, so that the same trouble in a hundred task runs is shown once. */
export class WarningCounts {
  readonly #kinds = new Map<string, CountedWarning>();

  get all(): CountedWarning[] {
    return [...this.#kinds.values()];
  }

  add(warning: Warning): void {
    const { server, message } = warning;
    const key = keyOf(warning);
    const known = this.#kinds.get(key);
    if (known) known.count++;
    else if (this.#kinds.size < maxKinds) {
      this.#kinds.set(key, {
        ...(server === undefined ? {} : { server }),
        message: truncateText(message, maxMessage),
        count: 1,
      });
    }
  }

  countOf(warning: Warning): number {
    return this.#kinds.get(keyOf(warning))?.count ?? 0;
  }
}

function keyOf({ code, server, message }: Warning): string {
  return JSON.stringify([code, server, ...(code === 'program-missing' ? [message] : [])]);
}

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

  /** Every call of the agent is counted, so that a share can be shown. */
  add({ kind, server, name = '' }: McpCall, suspicion: string | undefined, redact: Redact): void {
    if (kind !== 'tool') return;
    const key = JSON.stringify([server, name]);
    const known = this.#tools.get(key);
    if (!known && this.#tools.size === maxTools) return;
    const tool = known ?? {
      name: truncateText(redact(`${server}.${name}`), maxName),
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
