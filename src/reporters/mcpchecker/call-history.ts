import type { CallRecord } from '../../results/task-run-record.js';
import { wholeJson } from './whole-json.js';

/** The calls in the three lists of mcpchecker. */
export function callHistory(calls: readonly CallRecord[]): object {
  const timestamps = timestampsOf(calls);
  const of = (kind: CallRecord['kind']) =>
    calls.flatMap((call, index) => (call.kind === kind ? [recordOf(call, timestamps[index])] : []));
  return { ToolCalls: of('tool'), ResourceReads: of('resource'), PromptGets: of('prompt') };
}

function recordOf(call: CallRecord, timestamp: string | undefined): object {
  const { kind, server, name, args, result, error, isError, tokens } = call;
  const saysSo = kind === 'tool' && hasErrorMark(result);
  const failed = error === null ? undefined : errorText(error);
  const params =
    kind === 'resource' ? { uri: name } : { name, ...(args !== null && { arguments: args }) };
  return {
    serverName: server,
    ...(timestamp !== undefined && { timestamp }),
    success: failed === undefined && (!isError || saysSo),
    ...(failed !== undefined && { error: failed }),
    ...(kind === 'resource' ? { uri: name } : { name }),
    request: { Params: params },
    ...(result !== null && { result }),
    ...(tokens && { tokens: tokenCounts(tokens.args, tokens.result) }),
  };
}

export function tokenCounts(inputTokens: number, outputTokens: number) {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

function hasErrorMark(result: unknown): boolean {
  const isObject = typeof result === 'object' && result !== null;
  return isObject && 'isError' in result && result.isError === true;
}

/** It keeps an error as text. */
function errorText(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null;
  const message = isObject && 'message' in error ? error.message : undefined;
  return typeof message === 'string' && message !== '' ? message : wholeJson(error);
}

/**
 * In three lists, only the time tells the order of calls: below the milliseconds that we have, they
 * are counted, and none is before the one that came before it.
 */
function timestampsOf(calls: readonly CallRecord[]): (string | undefined)[] {
  const times = calls.map(({ startedAt }) => Date.parse(startedAt ?? ''));
  if (times.some((time) => !isWritable(time)))
    return calls.map((call) => call.startedAt ?? undefined);
  let latest = Number.NEGATIVE_INFINITY;
  return times.map((time, index) => {
    latest = Math.max(latest, time);
    const below = String(index).padStart(6, '0').slice(-6);
    return new Date(latest).toISOString().replace('Z', `${below}Z`);
  });
}

/** Years of four digits, as Go and everybody else reads them. */
function isWritable(time: number): boolean {
  return time >= Date.UTC(2000, 0) && time < Date.UTC(10_000, 0);
}
