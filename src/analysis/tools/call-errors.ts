import { isObject, isSameJson } from '../../base/json.js';
import type { CallRecord, TaskRunSoFar } from '../../results/task-run-record.js';
import { boundName, boundSentence } from '../bounded-text.js';
import type { Retry } from './tool-usage.js';

/** Characters that are kept of an error; its subject is at the beginning. */
const maxErrorLength = 2000;

/** The message of the server that a call failed with. */
export function readErrorText({ error, result, malformed }: CallRecord): string {
  const message =
    (isObject(error) ? toStringOrUndefined(error.message) : undefined) ??
    findFirstText(result) ??
    '';
  const text = malformed === undefined ? message : `malformed: ${malformed}`;
  // A copy: a part of a string would keep the whole in memory.
  return text.length <= maxErrorLength
    ? text
    : Buffer.from(text.slice(0, maxErrorLength)).toString();
}

function findFirstText(result: unknown): string | undefined {
  const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
  const part = content.find((item) => isObject(item) && typeof item.text === 'string');
  return isObject(part) ? toStringOrUndefined(part.text) : undefined;
}

function toStringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function takeFirstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

const invalidParams = -32602;

/** Messages for wrong arguments, by the SDK of the server. */
const wordings: readonly RegExp[] = [
  // TypeScript SDK, both versions, and the Python SDK.
  /MCP error -32602/,
  /input validation error/i,
  /invalid arguments for (tool|prompt)/i,
  // FastMCP: the words of pydantic.
  /\d+ validation errors? for /,
  /missing required argument/i,
  // Go SDK.
  /validating "arguments"/,
  /unmarshaling arguments/,
  // mark3labs/mcp-go.
  /required argument "[^"]*" not found/i,
  /argument "[^"]*" is not an? /i,
  /failed to bind arguments/i,
  // Rust SDK.
  /failed to deserialize parameters/i,
  /\binvalid params\b/i,
];

/** The same error code is used for unknown tools, whose arguments are not wrong. */
const noSuchTool = /unknown tool|\btool\b[^\n]{0,200}\bnot found/i;

/** Whether a call failed because the server rejected its arguments. */
export function isRejected(call: CallRecord): boolean {
  if (!call.isError || call.blocked) return false;
  const text = readErrorText(call);
  if (noSuchTool.test(text)) return false;
  const hasCode = isObject(call.error) && call.error.code === invalidParams;
  return hasCode || wordings.some((wording) => wording.test(text));
}

/** A retry, with the call that failed. */
interface FoundRetry {
  call: CallRecord;
  retry: Retry;
}

/** Finds calls that failed and were made again with other arguments. */
export function findRetries({ task, variant, run, calls }: TaskRunSoFar): FoundRetry[] {
  /** The latest call of each tool that failed. */
  const failed = new Map<string, CallRecord>();
  const found: FoundRetry[] = [];
  for (const again of calls) {
    if (again.kind !== 'tool' || again.blocked) continue;
    const key = JSON.stringify([again.server, again.name]);
    const call = failed.get(key);
    const changed =
      call && startedAfter(again, call) ? findChangedArguments(call.args, again.args) : [];
    if (call && changed.length > 0) {
      found.push({
        call,
        retry: {
          task: boundName(task),
          ...(variant !== null && { variant: boundName(variant) }),
          run,
          failed: call.call,
          again: again.call,
          error: boundSentence(takeFirstLine(readErrorText(call))),
          changed,
          worked: !hasFailed(again),
        },
      });
    }
    if (hasFailed(again)) failed.set(key, again);
    else failed.delete(key);
  }
  return found;
}

/** Whether a call failed, or its result looks like an error, as the agent reads it the same way. */
function hasFailed({ isError, suspectedError }: CallRecord): boolean {
  return isError || suspectedError !== undefined;
}

/** Tolerance in milliseconds: start times are whole milliseconds, durations are not. */
const clockErrorMs = 2;

/** Whether a call started after another one ended: parallel calls are no retries. */
function startedAfter(later: CallRecord, { startedAt, durationMs }: CallRecord): boolean {
  const end = Date.parse(startedAt ?? '') + (durationMs ?? 0) - clockErrorMs;
  return !(Date.parse(later.startedAt ?? '') < end);
}

const maxNames = 20;

function findChangedArguments(before: unknown, after: unknown): string[] {
  const old = isObject(before) ? before : {};
  const now = isObject(after) ? after : {};
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names]
    .filter((name) => !isSameJson(getOwnValue(old, name), getOwnValue(now, name)))
    .slice(0, maxNames)
    .map(boundName);
}

function getOwnValue(map: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
