import type { CallRecord } from '../task-run-record.js';
import { numberOfEntry } from './event-numbers.js';
import type { McpcheckerTaskRun, McpcheckerTokens } from './task-run-schema.js';

type CallHistory = NonNullable<McpcheckerTaskRun['callHistory']>;
type ToolCall = NonNullable<CallHistory['ToolCalls']>[number];
type ResourceRead = NonNullable<CallHistory['ResourceReads']>[number];
type AnyCall = Omit<ToolCall, 'name'> | Omit<ResourceRead, 'uri'>;

/** The three lists are made one, by the time at which the calls began. */
export function callsOf({ callHistory }: McpcheckerTaskRun): CallRecord[] {
  const { ToolCalls, ResourceReads, PromptGets } = callHistory ?? {};
  const calls = [
    ...(ToolCalls ?? []).map(({ name, ...call }) => callOf('tool', name, call)),
    ...(ResourceReads ?? []).map(({ uri, ...call }) => callOf('resource', uri, call)),
    ...(PromptGets ?? []).map(({ name, ...call }) => callOf('prompt', name, call)),
  ];
  return inOrder(calls).map((call, index) => ({
    ...call,
    seq: numberOfEntry(index),
    call: index + 1,
  }));
}

function callOf(kind: CallRecord['kind'], name: string, call: AnyCall): CallRecord {
  const { serverName, timestamp, success, error, tokens, result } = call;
  return {
    seq: 1,
    call: 1,
    kind,
    server: serverName,
    name,
    args: ('request' in call ? call.request?.Params?.arguments : undefined) ?? null,
    result: result ?? null,
    error: error ? { message: error } : null,
    isError: success === false || (kind === 'tool' && saysError(result)),
    // It has no policy that could have blocked a call.
    blocked: false,
    startedAt: timestamp ?? null,
    durationMs: null,
    tokens: tokensOf(tokens),
  };
}

function saysError(result: unknown): boolean {
  const isObject = typeof result === 'object' && result !== null;
  return isObject && 'isError' in result && result.isError === true;
}

function tokensOf(tokens: McpcheckerTokens): CallRecord['tokens'] {
  if (!tokens) return null;
  return { args: countOf(tokens.inputTokens), result: countOf(tokens.outputTokens) };
}

/** Ours are whole numbers from 0. */
export function countOf(number: number | null | undefined): number {
  return Number.isSafeInteger(number) ? Math.max(0, number ?? 0) : 0;
}

/** Left as they are where the time of one cannot be read. */
function inOrder(calls: CallRecord[]): CallRecord[] {
  const placed = calls.flatMap((call) => {
    const time = nanosecondsOf(call.startedAt ?? '');
    return time === undefined ? [] : [{ call, time }];
  });
  if (placed.length < calls.length) return calls;
  return placed
    .sort((left, right) => (left.time < right.time ? -1 : left.time > right.time ? 1 : 0))
    .map(({ call }) => call);
}

/** Go writes nanoseconds, of which a Date keeps only the milliseconds. */
function nanosecondsOf(timestamp: string): bigint | undefined {
  const milliseconds = Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(timestamp) ?? [];
  const seconds = BigInt(Math.floor(milliseconds / 1000));
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
