import type { CallKind, McpCall } from '../journal/mcp-events.js';
import { DurationHistogram } from './duration-histogram.js';

/** How one tool, resource or prompt of a server was used. */
export interface CallStatistics {
  server: string;
  kind: CallKind;
  name: string;
  calls: number;
  errors: number;
  blocked: number;
  cancelled: number;
  unfinished: number;
  durations: DurationHistogram;
  tokens: { args: number; result: number };
}

/** An agent can think up names without end; the rest is counted together. */
const maxNames = 1000;
const otherNames = '(other)';

/** Adds up calls per tool, resource and prompt. */
export class CallStatisticsFold {
  readonly #statistics = new Map<string, CallStatistics>();

  add(call: McpCall): void {
    if (call.kind === 'other') return;
    const entry = this.#entryFor(call);
    entry.calls += 1;
    if (call.isError) entry.errors += 1;
    if (call.blocked) entry.blocked += 1;
    if (call.cancelled) entry.cancelled += 1;
    if (call.unfinished) entry.unfinished += 1;
    // How long a call took that nobody worked on, or that nobody waited for, says nothing.
    else if (!call.blocked && !call.cancelled) entry.durations.add(call.durationMs);
    entry.tokens.args += call.tokens?.args ?? 0;
    entry.tokens.result += call.tokens?.result ?? 0;
  }

  /** Ordered by server, then by kind and name. */
  get entries(): CallStatistics[] {
    return [...this.#statistics.values()].sort(
      (left, right) =>
        compare(left.server, right.server) ||
        compare(right.kind, left.kind) ||
        compare(left.name, right.name),
    );
  }

  #entryFor({ server, kind, name = '' }: McpCall): CallStatistics {
    const known = this.#statistics.get(keyOf(server, kind, name));
    if (known) return known;
    const shown = this.#statistics.size < maxNames ? name : otherNames;
    const key = keyOf(server, kind, shown);
    const entry = this.#statistics.get(key) ?? {
      server,
      kind,
      name: shown,
      calls: 0,
      errors: 0,
      blocked: 0,
      cancelled: 0,
      unfinished: 0,
      durations: new DurationHistogram(),
      tokens: { args: 0, result: 0 },
    };
    this.#statistics.set(key, entry);
    return entry;
  }
}

function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
