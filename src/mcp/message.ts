import { isObject, type JsonObject } from '../base/json.js';
import { findElements, readTextAt } from '../base/json-text.js';
import { neitherResultNorError } from './malformed-result.js';

/** A JSON-RPC message: what it says, and the text it came as. */
export interface Message {
  /** `empty`: an answer with neither result nor error; `unknown`: nothing that JSON-RPC knows. */
  kind: 'request' | 'notification' | 'response' | 'empty' | 'unknown';
  text: string;
  value: JsonObject;
  /** The method of a request or notification; empty for others. */
  method: string;
  params: JsonObject;
}

/** What a body or a line holds: one message, or several in a batch (revision 2025-03-26). */
export interface Messages {
  isBatch: boolean;
  list: Message[];
}

/** Reads the messages of a text; undefined if it is not JSON, or no object or list of objects. */
export function readMessages(text: string): Messages | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) {
    const message = parseMessage(value, text);
    return message && { isBatch: false, list: [message] };
  }
  const spans = findElements(text);
  const list: Message[] = [];
  for (const [index, element] of value.entries()) {
    const { start, end } = spans[index] ?? { start: 0, end: 0 };
    const message = parseMessage(element, text.slice(start, end));
    if (message === undefined) return undefined;
    list.push(message);
  }
  return list.length === 0 ? undefined : { isBatch: true, list };
}

/** One message; undefined if the text is not JSON, or no object. */
export function readMessage(text: string): Message | undefined {
  const messages = readMessages(text);
  return messages?.isBatch === false ? messages.list[0] : undefined;
}

function parseMessage(value: unknown, text: string): Message | undefined {
  if (!isObject(value)) return undefined;
  const { method, params } = value;
  return {
    kind: classifyMessage(value),
    text,
    value,
    method: typeof method === 'string' ? method : '',
    params: isObject(params) ? params : {},
  };
}

function classifyMessage(value: JsonObject): Message['kind'] {
  const { id } = value;
  const isId = id == null || typeof id === 'string' || typeof id === 'number';
  if (!isId) return 'unknown';
  if (typeof value.method === 'string') return value.id === undefined ? 'notification' : 'request';
  if ('result' in value || 'error' in value) return 'response';
  return id == null || typeof value.method !== 'undefined' ? 'unknown' : 'empty';
}

/** How ids are compared: the number 1 and the text "1" are two. */
export function readIdKey(message: Message): string {
  return formatIdKey(message.value.id) ?? 'null';
}

/** Undefined for what cannot be an id. */
export function formatIdKey(id: unknown): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined;
}

/** The id as it stands in the text: a number may be larger than what JavaScript can hold. */
export function readIdText(message: Message): string {
  return readTextAt(message.text, ['id']) ?? 'null';
}

/** The protocol version that a request of the stateless era (2026-07-28 and later) carries. */
export function readStatelessVersion({ params }: Message): string | undefined {
  const version = isObject(params._meta) ? params._meta[versionKey] : undefined;
  return typeof version === 'string' ? version : undefined;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Codes that JSON-RPC and MCP give a meaning. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** A client answers that its user does not want it. */
  rejected: -1,
  /** Something went wrong between client and server. */
  relay: -32000,
  sessionNotFound: -32001,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

/** An error answer. The id is given as text. */
export function formatErrorAnswer(id: string, code: number, message: string): string {
  const error = JSON.stringify({ code, message });
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
}

/** What is passed on in place of an answer that is none: clients would wait for a better one. */
export function formatEmptyAnswer(id: string): string {
  const message = `the server's answer is malformed: ${neitherResultNorError}`;
  return formatErrorAnswer(id, errorCodes.relay, message);
}

/** An answer with a result; id and result are given as text. */
export function formatResultAnswer(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}
