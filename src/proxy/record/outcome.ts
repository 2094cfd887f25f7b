import { isObject, type JsonObject } from '../../base/json.js';
import { RawJson, readTextAt } from '../../base/json-text.js';
import type { CallKind, McpCall } from '../../journal/mcp-events.js';
import { findMalformation, neitherResultNorError } from '../../mcp/malformed-result.js';
import { errorCodes, type Message } from '../../mcp/message.js';

/** How a call ended. */
export type RecordedOutcome = Pick<
  McpCall,
  | 'result'
  | 'error'
  | 'isError'
  | 'malformed'
  | 'blocked'
  | 'blockedBy'
  | 'cancelled'
  | 'unfinished'
>;

/** What an answer to a call of that kind says. One that is malformed is an error. */
export function readOutcome(answer: Message, kind: CallKind): RecordedOutcome {
  return {
    ...readPart(answer, ['result'], 'result'),
    ...readPart(answer, ['error'], 'error'),
    ...readErrorState(kind, answer.value),
  };
}

function readErrorState(
  kind: CallKind,
  { result, ...answer }: JsonObject,
): Pick<RecordedOutcome, 'isError' | 'malformed'> {
  if ('error' in answer) return { isError: true };
  const malformed = result === undefined ? neitherResultNorError : findMalformation(kind, result);
  if (malformed !== undefined) return { isError: true, malformed };
  return { isError: isObject(result) && result.isError === true };
}

/** The outcome of a call that will get no answer. */
export function makeFailure(reason: string): RecordedOutcome {
  const error = JSON.stringify({ code: errorCodes.relay, message: reason });
  return { error: new RawJson(error), isError: true };
}

/** The task that a server gives in place of a result (2025-11-25, and the extension for 2026-07-28). */
export function findTaskId(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const { task, resultType, taskId } = result;
  const id = isObject(task) ? task.taskId : resultType === 'task' ? taskId : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The failure of a task of 2025-11-25, from its status: not every client goes on to fetch its result. */
export function readTaskFailure(
  method: string,
  { value: { result } }: Message,
): RecordedOutcome | undefined {
  if (method !== 'tasks/get' || !isObject(result) || result.status !== 'failed') return undefined;
  const { statusMessage } = result;
  return makeFailure(typeof statusMessage === 'string' ? statusMessage : 'the task failed');
}

/** How a task ended, if the answer to a request about it says so. */
export function readTaskOutcome(
  method: string,
  answer: Message,
  kind: CallKind,
): RecordedOutcome | undefined {
  if (method === 'tasks/result') return readOutcome(answer, kind);
  const { result } = answer.value;
  if ((method !== 'tasks/get' && method !== 'tasks/cancel') || !isObject(result)) return undefined;
  if (result.status === 'cancelled') return { isError: false, cancelled: true };
  // The extension has the result in place; 2025-11-25 has tasks/result for it.
  if (result.status === 'completed' && isObject(result.result)) {
    return {
      ...readPart(answer, ['result', 'result'], 'result'),
      ...readErrorState(kind, { result: result.result }),
    };
  }
  if (result.status !== 'failed') return undefined;
  if (isObject(result.error)) {
    return { ...readPart(answer, ['result', 'error'], 'error'), isError: true };
  }
  return undefined;
}

function readPart(answer: Message, path: string[], name: 'result' | 'error') {
  const text = readTextAt(answer.text, path);
  return text === undefined ? {} : { [name]: new RawJson(text) };
}
