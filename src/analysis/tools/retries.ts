import { isObject } from '../../base/json.js';
import type { CallRecord, TaskRunSoFar } from '../../results/task-run-record.js';
import { boundedName, boundedSentence } from '../summary/bounded-text.js';
import { errorTextOf, firstLine } from './error-text.js';
import { isSameJson } from './same-json.js';
import type { Retry } from './tool-usage.js';

/** A retry, with the call that failed. */
export interface FoundRetry {
  call: CallRecord;
  retry: Retry;
}

/** Calls that failed and were made again with other arguments. */
export function retriesIn({ task, variant, run, calls }: TaskRunSoFar): FoundRetry[] {
  /** The latest call of each tool, if it failed. */
  const failed = new Map<string, CallRecord>();
  const found: FoundRetry[] = [];
  for (const again of calls) {
    if (again.kind !== 'tool' || again.blocked) continue;
    const key = JSON.stringify([again.server, again.name]);
    const call = failed.get(key);
    const changed = call && beganAfter(again, call) ? changedArguments(call.args, again.args) : [];
    if (call && changed.length > 0) {
      found.push({
        call,
        retry: {
          task: boundedName(task),
          ...(variant !== null && { variant: boundedName(variant) }),
          run,
          failed: call.call,
          again: again.call,
          error: boundedSentence(firstLine(errorTextOf(call))),
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

/** Also one whose result only looks like an error: the agent has read it. */
function hasFailed({ isError, suspectedError }: CallRecord): boolean {
  return isError || suspectedError !== undefined;
}

/** In milliseconds: times of day are whole ones, durations are not. */
const clockError = 2;

/** Calls that were under way at once are no answer to each other. */
function beganAfter(later: CallRecord, { startedAt, durationMs }: CallRecord): boolean {
  const end = Date.parse(startedAt ?? '') + (durationMs ?? 0) - clockError;
  return !(Date.parse(later.startedAt ?? '') < end);
}

const maxNames = 20;

function changedArguments(before: unknown, after: unknown): string[] {
  const old = isObject(before) ? before : {};
  const now = isObject(after) ? after : {};
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...names]
    .filter((name) => !isSameJson(ownValue(old, name), ownValue(now, name)))
    .slice(0, maxNames)
    .map(boundedName);
}

function ownValue(map: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
