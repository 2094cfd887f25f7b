import { boundName } from '../../analysis/bounded-text.js';
import { formatShortDuration, formatShortNumber } from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import { formatCodeSpan, formatMarkdownTable } from '../../reporters/markdown/markdown.js';
import { DurationHistogram } from '../../results/call-statistics.js';
import type { RecordingFile } from '../../results/journal/recording-file.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import type { CallRecord } from '../../results/task-run-record.js';
import type { Style } from '../terminal/output.js';
import { type Column, tableLines } from '../terminal/table.js';
import { listLeftOutOfRecordings } from './chosen-results.js';

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

/** The summary of recordings, as `-o json` prints it. */
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
  leftOut: LeftOutOfFile[];
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
      .sort((a, b) => compare(a.server, b.server) || b.calls - a.calls || compare(a.name, b.name))
      .map(({ durations, ...entry }) => ({ ...entry, durationMs: measureSpread(durations) })),
    totals,
    leftOut: listLeftOutOfRecordings(recordings),
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

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

type SummaryColumn = Column & { cell(counts: CallCounts): string };

const zeroless = (number: number) => (number === 0 ? '' : String(number));

const countColumns: readonly SummaryColumn[] = [
  { title: 'calls', align: 'right', cell: ({ calls }) => String(calls) },
  { title: 'failed', align: 'right', cell: ({ failed }) => zeroless(failed) },
  { title: 'suspect', align: 'right', cell: ({ suspected }) => zeroless(suspected) },
  { title: 'blocked', align: 'right', cell: ({ blocked }) => zeroless(blocked) },
  { title: 'unanswered', align: 'right', cell: ({ unanswered }) => zeroless(unanswered) },
  { title: 'in', align: 'right', cell: ({ tokens }) => formatShortNumber(tokens.args) },
  { title: 'out', align: 'right', cell: ({ tokens }) => formatShortNumber(tokens.result) },
];

const noVerdict = 'A recording has no verdict: nothing here passed or failed a task.';

/** Longer lists are not printed as text; `-o json` has them whole. */
const maxRows = 100;

function usedColumns({ totals }: RecordingSummary): readonly SummaryColumn[] {
  return countColumns.filter(({ cell }) => cell(totals) !== '');
}

function listNotes({ totals }: RecordingSummary): string {
  const suspect =
    totals.suspected > 0 ? 'suspect: looks like an error and is not marked isError; ' : '';
  return `${suspect}in, out: tokens of arguments and results`;
}

function formatName({ server, kind, name }: RecordingSummary['called'][number]): string {
  return kind === 'tool' ? `${server}.${name}` : `${server} ${kind} ${name}`;
}

function formatHeadline({ sessions, totals }: RecordingSummary): string {
  const { calls, failed, suspected, blocked, unanswered } = totals;
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(suspected > 0 ? [`${suspected} look${suspected === 1 ? 's' : ''} like an error`] : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ];
  const how = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  return `${plural(sessions.length, 'session')}, ${plural(calls, 'call')}${how}`;
}

function renderSource({ recordings }: RecordingSummary): string[] {
  return recordings.map(({ path, servers, finished, startedAt }) => {
    const when = startedAt === null ? '' : `, ${startedAt.slice(0, 16).replace('T', ' ')}`;
    const open = finished ? '' : '; the proxy is still recording, or was killed';
    return `${path}: proxy recording of ${servers.join(', ')}${when}${open}`;
  });
}

/** For people. The text is made harmless line by line. */
export function recordingSummaryText(
  summary: RecordingSummary,
  { style, width }: { style: Style; width: number | undefined },
  harmless: (text: string) => string,
): string {
  const { sessions, called } = summary;
  const used = usedColumns(summary);
  const table = { style, width };
  const bySession = sessions
    .slice(0, maxRows)
    .map((each) => [
      each.session,
      each.agent ?? '',
      each.durationMs === null ? '' : formatShortDuration(each.durationMs),
      ...used.map(({ cell }) => cell(each)),
    ]);
  const byName = called
    .slice(0, maxRows)
    .map((each) => [
      formatName(each),
      ...used.map(({ cell }) => cell(each)),
      each.durationMs ? formatShortDuration(each.durationMs.p50) : '',
      each.durationMs ? formatShortDuration(each.durationMs.p95) : '',
    ]);
  const rest = (all: readonly unknown[]) =>
    all.length > maxRows ? [style('dim', `and ${all.length - maxRows} more`)] : [];
  const right = (title: string): Column => ({ title, align: 'right' });
  return [
    ...renderSource(summary).map(harmless),
    style('bold', formatHeadline(summary)),
    '',
    ...tableLines(
      [{ title: 'session' }, { title: 'agent', flexible: true }, right('time'), ...used],
      bySession,
      table,
    ),
    ...rest(sessions),
    '',
    ...tableLines(
      [{ title: 'called', flexible: true }, ...used, right('p50'), right('p95')],
      byName,
      table,
    ),
    ...rest(called),
    '',
    style('dim', `${listNotes(summary)}.`),
    style('dim', noVerdict),
    '',
  ].join('\n');
}

/** For a pull request. */
export function recordingSummaryMarkdown(summary: RecordingSummary): string {
  const { sessions, called } = summary;
  const numbers = <Row extends CallCounts>() =>
    usedColumns(summary).map(({ title, cell }) => ({
      title,
      align: 'right' as const,
      cell: (row: Row) => cell(row),
    }));
  type Session = RecordingSummary['sessions'][number];
  type CalledName = RecordingSummary['called'][number];
  const durations = (share: 'p50' | 'p95') => ({
    title: share,
    align: 'right' as const,
    cell: ({ durationMs }: CalledName) =>
      durationMs ? formatShortDuration(durationMs[share]) : undefined,
  });
  return `${[
    '## Recorded calls',
    renderSource(summary)
      .map((line) => formatCodeSpan(line))
      .join('\n\n'),
    `${formatHeadline(summary)}. ${noVerdict}`,
    formatMarkdownTable<Session>(
      [
        { title: 'session', cell: ({ session }) => formatCodeSpan(session, 'table') },
        {
          title: 'agent',
          cell: ({ agent }) => (agent === null ? undefined : formatCodeSpan(agent, 'table')),
        },
        ...numbers(),
      ],
      sessions.slice(0, maxRows),
    ),
    formatMarkdownTable<CalledName>(
      [
        { title: 'called', cell: (each) => formatCodeSpan(formatName(each), 'table') },
        ...numbers(),
        durations('p50'),
        durations('p95'),
      ],
      called.slice(0, maxRows),
    ),
    `<sub>${listNotes(summary)}</sub>`,
  ].join('\n\n')}\n`;
}
