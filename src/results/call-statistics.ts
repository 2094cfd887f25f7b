import { compareText } from '../base/text.js';
import type { CallKind, McpCall } from '../journal/mcp-events.js';

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

/** Limit on distinct names, as agents can invent any number; further ones are counted together. */
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
    // The duration of a blocked or cancelled call says nothing about the server.
    else if (!call.blocked && !call.cancelled) entry.durations.add(call.durationMs);
    entry.tokens.args += call.tokens?.args ?? 0;
    entry.tokens.result += call.tokens?.result ?? 0;
  }

  /** The statistics ordered by server, then by kind and name. */
  get entries(): CallStatistics[] {
    return [...this.#statistics.values()].sort(
      (left, right) =>
        compareText(left.server, right.server) ||
        compareText(right.kind, left.kind) ||
        compareText(left.name, right.name),
    );
  }

  #entryFor({ server, kind, name = '' }: McpCall): CallStatistics {
    const known = this.#statistics.get(makeStatisticsKey(server, kind, name));
    if (known) return known;
    const shown = this.#statistics.size < maxNames ? name : otherNames;
    const key = makeStatisticsKey(server, kind, shown);
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

function makeStatisticsKey(...parts: string[]): string {
  return JSON.stringify(parts);
}

/** Each bucket is 2 % wider than the one before it, so that is how exact a percentile is. */
const growth = 1.02;
/** Upper bound of the first bucket, in milliseconds. */
const shortest = 0.01;

/** Counts durations in buckets, so that its size does not grow with their number. */
export class DurationHistogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  add(milliseconds: number): void {
    const bucket = Math.max(0, Math.ceil(Math.log(milliseconds / shortest) / Math.log(growth)));
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  /** The duration that a share of all, such as 0.95, does not exceed; undefined if there is none. */
  percentile(share: number): number | undefined {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (const bucket of [...this.#buckets.keys()].sort((left, right) => left - right)) {
      seen += this.#buckets.get(bucket) ?? 0;
      if (seen >= rank) return shortest * growth ** (bucket - 0.5);
    }
    return undefined;
  }
}
