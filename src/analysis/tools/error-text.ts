import { isObject } from '../../base/json.js';
import type { CallRecord } from '../../results/task-run-record.js';

/** In characters: what an error is about stands at its beginning. */
const longest = 2000;

/** What a call failed with, in the words of the server. */
export function errorTextOf({ error, result, malformed }: CallRecord): string {
  const said = (isObject(error) ? stringOr(error.message) : undefined) ?? firstText(result) ?? '';
  const text = malformed === undefined ? said : `malformed: ${malformed}`;
  // A copy: a part of a string would keep the whole in memory.
  return text.length <= longest ? text : Buffer.from(text.slice(0, longest)).toString();
}

function firstText(result: unknown): string | undefined {
  const content = isObject(result) && Array.isArray(result.content) ? result.content : [];
  const part = content.find((each) => isObject(each) && typeof each.text === 'string');
  return isObject(part) ? stringOr(part.text) : undefined;
}

function stringOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
