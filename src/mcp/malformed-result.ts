import { isObject, type JsonObject } from '../base/json.js';

/** What a request of an agent is about, as far as its result has a shape that is known. */
export type ResultKind = 'tool' | 'resource' | 'prompt' | 'other';

/** The reason for an answer that is none. */
export const neitherResultNorError = 'it has neither a result nor an error';

/**
 * What is wrong with the shape of a result, as a sentence without its end; undefined if nothing is.
 * Only what every revision of MCP asks for is looked at: members and types that are not known may
 * belong to a later one.
 */
export function findMalformation(kind: ResultKind, result: unknown): string | undefined {
  if (!isObject(result)) return `the result is ${nameJsonType(result)}, not an object`;
  // Something else in place of the result: a task, or a request for input.
  const isOther = typeof result.resultType === 'string' && result.resultType !== 'complete';
  if (isOther || isObject(result.task)) return undefined;
  switch (kind) {
    case 'tool':
      return findToolFault(result);
    case 'resource':
      return findListFault(result, 'contents', findResourceFault);
    case 'prompt':
      return findListFault(result, 'messages', findMessageFault);
    case 'other':
      return undefined;
  }
}

function findToolFault(result: JsonObject): string | undefined {
  const { content, isError, structuredContent, toolResult } = result;
  if (isError !== undefined && isError !== null && typeof isError !== 'boolean') {
    return `isError is ${nameJsonType(isError)}, not true or false`;
  }
  // Clients take structured content alone; toolResult is how the first revision had it.
  const hasOther = structuredContent !== undefined || toolResult !== undefined;
  if (content === undefined && hasOther) return undefined;
  return findListFault(result, 'content', findContentFault);
}

function findListFault(
  result: JsonObject,
  key: string,
  faultOf: (item: unknown) => string | undefined,
): string | undefined {
  const list = result[key];
  if (list === undefined) return `${key} is missing`;
  if (!Array.isArray(list)) return `${key} is ${nameJsonType(list)}, not a list`;
  for (const [index, item] of list.entries()) {
    const fault = faultOf(item);
    if (fault !== undefined) return `${key}[${index}] ${fault}`;
  }
  return undefined;
}

/** What an item of a known type has to have. */
const requiredTexts: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri'],
};

function findContentFault(item: unknown): string | undefined {
  if (!isObject(item)) return `is ${nameJsonType(item)}, not an object`;
  const { type } = item;
  if (typeof type !== 'string') return 'has no type';
  if (type === 'resource') return findResourceFault(item.resource);
  const required = Object.hasOwn(requiredTexts, type) ? (requiredTexts[type] ?? []) : [];
  const missing = required.find((key) => typeof item[key] !== 'string');
  return missing === undefined ? undefined : `is of type ${type} and has no ${missing}`;
}

function findResourceFault(resource: unknown): string | undefined {
  if (!isObject(resource)) return `is ${nameJsonType(resource)}, not a resource`;
  const { uri, text, blob } = resource;
  if (typeof uri !== 'string') return 'has no uri';
  return typeof text === 'string' || typeof blob === 'string'
    ? undefined
    : 'has neither text nor blob';
}

function findMessageFault(message: unknown): string | undefined {
  if (!isObject(message)) return `is ${nameJsonType(message)}, not an object`;
  if (typeof message.role !== 'string') return 'has no role';
  return findContentFault(message.content);
}

function nameJsonType(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
}
