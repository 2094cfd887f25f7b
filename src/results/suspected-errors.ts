import { truncateText } from '../base/text.js';
import type { McpCall } from '../journal/mcp-events.js';
import { longestSuspect, suspectedErrorIn } from '../mcp/suspected-error.js';
import type { CallRecord, TaskRunSoFar } from './task-run-record.js';

/** Characters of a quoted line that records keep: enough to recognise it. */
const maxQuoteLength = 200;

/**
 * The line that makes a tool's result look like an error although it is not marked as one; undefined if
 * there is none. The line is not redacted. It is looked for whenever calls are read, and no journal has
 * it, so that old records and those of other programs show it too.
 */
export function findSuspectedError({
  kind,
  isError,
  blocked,
  result,
}: McpCall): string | undefined {
  if (kind !== 'tool' || isError || blocked || result === undefined) return undefined;
  return result.text.length > longestSuspect ? undefined : suspectedErrorIn(result.value);
}

/** Truncates a redacted line to the length that records keep. */
export function truncateSuspicion(line: string): string {
  return truncateText(line, maxQuoteLength);
}

/** Marks the results of a record that look like errors, and counts them. */
export function markSuspectedErrors<Record extends TaskRunSoFar>(record: Record): Record {
  const calls = record.calls.map(withSuspicion);
  const suspected = calls.filter((call) => call.suspectedError !== undefined).length;
  return { ...record, calls, callCounts: { ...record.callCounts, suspected } };
}

function withSuspicion({ suspectedError: _, ...call }: CallRecord): CallRecord {
  const { kind, isError, blocked, result } = call;
  const line = kind === 'tool' && !isError && !blocked ? suspectedErrorIn(result) : undefined;
  return line === undefined ? call : { ...call, suspectedError: truncateSuspicion(line) };
}
