import type { McpCall } from '../journal/mcp-events.js';
import { longestSuspect, suspectedErrorIn } from '../mcp/suspected-error.js';
import type { CallRecord, TaskRunSoFar } from './task-run-record.js';

/** In characters: enough to recognise it. */
const longestQuote = 200;

/**
 * The line with which a tool's result looks like an error, though the tool does not say that it is
 * one; undefined if it does not. As it came: secrets may be in it. It is looked for whenever calls
 * are read, and no journal has it, so that old records and those of others show it too.
 */
export function suspectedErrorOf({ kind, isError, blocked, result }: McpCall): string | undefined {
  if (kind !== 'tool' || isError || blocked || result === undefined) return undefined;
  return result.text.length > longestSuspect ? undefined : suspectedErrorIn(result.value);
}

/** In the size in which records have it, of a text without secrets. */
export function shortSuspicion(line: string): string {
  return line.length <= longestQuote ? line : `${line.slice(0, longestQuote - 3)}...`;
}

/** Notes which results of a record look like errors, and how many. */
export function withSuspectedErrors<Record extends TaskRunSoFar>(record: Record): Record {
  const calls = record.calls.map(withSuspicion);
  const suspected = calls.filter((call) => call.suspectedError !== undefined).length;
  return { ...record, calls, callCounts: { ...record.callCounts, suspected } };
}

function withSuspicion({ suspectedError: _, ...call }: CallRecord): CallRecord {
  const { kind, isError, blocked, result } = call;
  const line = kind === 'tool' && !isError && !blocked ? suspectedErrorIn(result) : undefined;
  return line === undefined ? call : { ...call, suspectedError: shortSuspicion(line) };
}
