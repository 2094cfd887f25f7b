import { compareText } from '../base/text.js';
import { DurationHistogram } from '../results/call-statistics.js';
import type { RecordingFile } from '../results/journal/recording-file.js';
import type { CallRecord } from '../results/task-run-record.js';
import { boundName } from './bounded-text.js';

/** How often something was called, and how that went. Nothing here is a verdict. */
export interface CallCounts {
  calls: number;
  /** Answered with an error, by the server or on the way. */
  failed: number;
  /** Look like errors, and are not marked with `isError`. */
  suspected: number;
  /** Not allowed by the MCP config: they reached no server. */
  blocked: number;
  /** Called off by the agent, or without an answer when the recording ended. */
  unanswered: number;
  /** Tokens of the calls whose tokens were counted. */
  tokens: { args: number; result: number };
}

/** The summary of recordings of `proctor proxy`. */
export interface RecordingSummary {
  recordings: {
    path: string;
    startedAt: string | null;
    /** False: the proxy is still recording, or was killed. */
    finished: boolean;
    servers: string[];
  }[];
  sessions: (CallCounts & {
    session: string;
    agent: string | null;
    startedAt: string | null;
    durationMs: number | null;
  })[];
  /** One entry for every tool, resource and prompt that was called. */
  called: (CallCounts & {
    server: string;
    kind: CallRecord['kind'];
    name: string;
    durationMs: { p50: number; p95: number } | null;
  })[];
  totals: CallCounts;
}

/** An agent can think up names without end; the rest is counted together. */
const maxNames = 2000;
const otherNames = '(other)';

type Called = Omit<RecordingSummary['called'][number], 'durationMs'> & {
  durations: DurationHistogram;
};

/** Sums up recordings, one session in memory at a time. */
export async function summarizeRecordings(
  recordings: readonly RecordingFile[],
  isWanted: (session: string) => boolean,
): Promise<RecordingSummary> {
  const totals = makeEmptyCalls();
  const sessions: RecordingSummary['sessions'] = [];
  const called = new Map<string, Called>();
  const calledOf = ({ server, kind, name }: CallRecord): Called => {
    const shown = boundName(name);
    const known = called.get(JSON.stringify([server, kind, shown]));
    if (known) return known;
    const kept = called.size < maxNames ? shown : otherNames;
    const key = JSON.stringify([server, kind, kept]);
    const made = called.get(key) ?? {
      server,
      kind,
      name: kept,
      ...makeEmptyCalls(),
      durations: new DurationHistogram(),
    };
    called.set(key, made);
    return made;
  };
  for (const recording of recordings) {
    for await (const session of recording.sessions({ withoutCallResults: true })) {
      if (!isWanted(session.task)) continue;
      const { task, labels, startedAt, durationMs } = session;
      const agent = labels.client ?? null;
      const counts = { session: task, agent, startedAt, durationMs, ...makeEmptyCalls() };
      sessions.push(counts);
      for (const call of session.calls) {
        const entry = calledOf(call);
        for (const each of [totals, counts, entry]) count(each, call);
        if (!call.blocked && call.durationMs !== null) entry.durations.add(call.durationMs);
      }
    }
  }
  return {
    recordings: recordings.map(({ path, header }) => ({
      path,
      startedAt: header.startedAt,
      finished: header.finished,
      servers: header.mcpServers.map(({ name }) => name),
    })),
    sessions,
    called: [...called.values()]
      .sort(
        (a, b) =>
          compareText(a.server, b.server) || b.calls - a.calls || compareText(a.name, b.name),
      )
      .map(({ durations, ...entry }) => ({ ...entry, durationMs: measureSpread(durations) })),
    totals,
  };
}

function makeEmptyCalls(): CallCounts {
  const none = { calls: 0, failed: 0, suspected: 0, blocked: 0, unanswered: 0 };
  return { ...none, tokens: { args: 0, result: 0 } };
}

function count(counts: CallCounts, call: CallRecord): void {
  counts.calls += 1;
  if (call.blocked) counts.blocked += 1;
  else if (call.isError) counts.failed += 1;
  else if (call.cancelled || call.unfinished) counts.unanswered += 1;
  else if (call.suspectedError !== undefined) counts.suspected += 1;
  counts.tokens.args += call.tokens?.args ?? 0;
  counts.tokens.result += call.tokens?.result ?? 0;
}

function measureSpread(durations: DurationHistogram): { p50: number; p95: number } | null {
  const [p50, p95] = [durations.percentile(0.5), durations.percentile(0.95)];
  return p50 === undefined || p95 === undefined ? null : { p50, p95 };
}
