import { shortDuration } from '../analysis/amount-text.js';
import type { McpCall, Warning } from '../journal/mcp-events.js';
import { suspectedErrorOf } from '../results/suspected-errors.js';
import type { Style } from './style.js';
import { terminalLine } from './terminal-text.js';

/** Nobody reads more of a name or of an error; the record has the whole. */
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
  const outcome = outcomeOfCall(call);
  const color = callColors[outcome];
  const reason = reasonOfCall(call);
  return [
    style('dim', clock(startedAt)),
    terminalLine(server).padEnd(serverWidth),
    style('dim', shortDuration(durationMs).padStart(8)),
    style(color, outcome.padEnd('unfinished'.length)),
    style('bold', terminalLine(cut(redact(callName(call)), maxName))),
    ...(reason === undefined ? [] : [style(color, terminalLine(cut(redact(reason), maxReason)))]),
  ].join('  ');
}

export function renderWarning(
  { server, message, details = '' }: Warning,
  style: Style,
  redact: Redact,
): string {
  const where = server === undefined ? '' : `${terminalLine(server)}: `;
  const lines = redact(details).trimEnd().split('\n').slice(-5).filter(Boolean);
  const quoted = lines.map((line) => `\n    ${style('dim', terminalLine(cut(line, maxReason)))}`);
  return `${style('yellow', 'warning')}  ${where}${terminalLine(redact(message))}${quoted.join('')}`;
}

/** Of a tool its name; others say what they are. */
export function callName({ kind, method, name }: McpCall): string {
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

/** What decides how a call went, in events and in results. */
interface CallFacts {
  blocked?: boolean | undefined;
  unfinished?: true | undefined;
  cancelled?: true | undefined;
  isError: boolean;
  malformed?: string | undefined;
  suspectedError?: string | undefined;
}

/** `suspect`: its result looks like an error, and is not marked as one. */
export function outcomeOfCall(call: CallFacts): CallOutcome {
  if (call.blocked) return 'blocked';
  if (call.unfinished) return 'unfinished';
  if (call.cancelled) return 'cancelled';
  if (call.malformed !== undefined) return 'malformed';
  if (call.isError) return 'error';
  return call.suspectedError === undefined ? 'ok' : 'suspect';
}

/** A call with the line that makes its result look like an error, if there is one. */
export function withSuspicion<Call extends McpCall>(call: Call): Call & CallFacts {
  const suspectedError = suspectedErrorOf(call);
  return suspectedError === undefined ? call : { ...call, suspectedError };
}

/** A question of whoever wants to know the era of a server; old ones do not know it. */
export function isRefusedProbe({ method, isError }: McpCall): boolean {
  return method === 'server/discover' && isError;
}

/** The first words of what went wrong. */
export function reasonOfCall(call: McpCall & CallFacts): string | undefined {
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

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3)}...`;
}

/** Local wall time: what people see on their own clock. */
function clock(at: string): string {
  return new Date(at).toTimeString().slice(0, 8);
}
