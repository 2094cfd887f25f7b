import { formatShortDuration } from '../analysis/figure-text.js';
import { truncateText } from '../base/text.js';
import type { McpCall, Warning } from '../journal/mcp-events.js';
import type { CallStatistics } from '../results/call-statistics.js';
import { findSuspectedError } from '../results/suspected-errors.js';
import type { Style } from './terminal/output.js';
import { displayWidth, terminalLine } from './terminal/text.js';

/** Longer names and errors are cut; the record has them whole. */
const maxName = 60;
const maxReason = 120;

/** Takes secrets out of a text, before it is cut: half of one would not be recognised. */
type Redact = (text: string) => string;

/** A call in one line: when, where, how long, how it went, what. Columns stay in their places. */
export function renderCall(
  recorded: McpCall,
  serverWidth: number,
  style: Style,
  redact: Redact,
): string {
  const call = withSuspicion(recorded);
  const { server, durationMs, startedAt } = call;
  const outcome = decideCallOutcome(call);
  const color = callColors[outcome];
  const reason = findCallReason(call);
  return [
    style('dim', formatClock(startedAt)),
    terminalLine(server).padEnd(serverWidth),
    style('dim', formatShortDuration(durationMs).padStart(8)),
    style(color, outcome.padEnd('unfinished'.length)),
    style('bold', terminalLine(truncateText(redact(formatCallName(call)), maxName))),
    ...(reason === undefined
      ? []
      : [style(color, terminalLine(truncateText(redact(reason), maxReason)))]),
  ].join('  ');
}

export function renderWarning(
  { server, message, details = '' }: Warning,
  style: Style,
  redact: Redact,
): string {
  const where = server === undefined ? '' : `${terminalLine(server)}: `;
  const lines = redact(details).trimEnd().split('\n').slice(-5).filter(Boolean);
  const quoted = lines.map(
    (line) => `\n    ${style('dim', terminalLine(truncateText(line, maxReason)))}`,
  );
  return `${style('yellow', 'warning')}  ${where}${terminalLine(redact(message))}${quoted.join('')}`;
}

/** A tool's name alone; resources and prompts with their kind. */
export function formatCallName({ kind, method, name }: McpCall): string {
  if (name === undefined || kind === 'other') return method;
  return kind === 'tool' ? name : `${kind} ${name}`;
}

/** How a call went, with the colour for it. */
export const callColors = {
  ok: 'green',
  error: 'red',
  malformed: 'red',
  suspect: 'yellow',
  blocked: 'red',
  cancelled: 'yellow',
  unfinished: 'yellow',
} as const;

export type CallOutcome = keyof typeof callColors;

/** The members of a call, in events and in results, that decide how it went. */
interface CallFacts {
  blocked?: boolean | undefined;
  unfinished?: true | undefined;
  cancelled?: true | undefined;
  isError: boolean;
  malformed?: string | undefined;
  suspectedError?: string | undefined;
}

/** `suspect`: its result looks like an error, and is not marked as one. */
export function decideCallOutcome(call: CallFacts): CallOutcome {
  if (call.blocked) return 'blocked';
  if (call.unfinished) return 'unfinished';
  if (call.cancelled) return 'cancelled';
  if (call.malformed !== undefined) return 'malformed';
  if (call.isError) return 'error';
  return call.suspectedError === undefined ? 'ok' : 'suspect';
}

/** A call with the line that makes its result look like an error, if there is one. */
export function withSuspicion<Call extends McpCall>(call: Call): Call & CallFacts {
  const suspectedError = findSuspectedError(call);
  return suspectedError === undefined ? call : { ...call, suspectedError };
}

/** A probe for the protocol generation of a server; older servers answer with an error. */
export function isRefusedProbe({ method, isError }: McpCall): boolean {
  return method === 'server/discover' && isError;
}

/** The first words of what went wrong. */
export function findCallReason(call: McpCall & CallFacts): string | undefined {
  const { blocked, blockedBy, isError, error, result, malformed, suspectedError } = call;
  if (blocked) return `blocked by ${blockedBy ?? 'the MCP config'}`;
  if (malformed !== undefined) return malformed;
  if (suspectedError !== undefined) return `looks like an error: ${suspectedError}`;
  if (!isError) return undefined;
  const { message } = (error?.value ?? {}) as { message?: unknown };
  if (typeof message === 'string') return message;
  const { content } = (result?.value ?? {}) as { content?: unknown };
  const [first] = Array.isArray(content) ? content : [];
  const { text } = (first ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

/** Local wall time: what people see on their own clock. */
function formatClock(at: string): string {
  return new Date(at).toTimeString().slice(0, 8);
}

const maxCellLength = 40;

const columns = ['server', 'name', 'calls', 'errors', 'p50', 'p95', 'arg tokens', 'result tokens'];
/** How many columns hold text rather than numbers. */
const leftAligned = 2;

/** A table with a line for each tool, resource and prompt that was used. */
export function renderCallStatistics(
  entries: CallStatistics[],
  style: Style,
  redact: (text: string) => string,
): string {
  // Before a name is cut: half of a secret would not be recognised.
  const rows = entries.map((entry) => makeRow({ ...entry, name: redact(entry.name) }));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => displayWidth(row[index] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => {
        const padding = ' '.repeat((widths[index] ?? 0) - displayWidth(cell));
        return index < leftAligned ? cell + padding : padding + cell;
      })
      .join('  ')
      .trimEnd();
  return [style('bold', line(columns)), ...rows.map(line)].join('\n');
}

function makeRow(entry: CallStatistics): string[] {
  const { server, name, calls, errors, durations, tokens } = entry;
  const duration = (share: number) => {
    const found = durations.percentile(share);
    return found === undefined ? '-' : formatShortDuration(found);
  };
  return [
    truncateCell(server),
    truncateCell(name),
    String(calls),
    String(errors),
    duration(0.5),
    duration(0.95),
    String(tokens.args),
    String(tokens.result),
  ];
}

function truncateCell(text: string): string {
  return truncateText(terminalLine(text), maxCellLength);
}
