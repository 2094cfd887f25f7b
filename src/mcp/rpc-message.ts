import { isObject, type JsonObject } from '../base/json.js';
import { neitherResultNorError } from './malformed-result.js';

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** A JSON-RPC message: what it says, and the text it came as. */
export interface RpcMessage {
  text: string;
  value: JsonObject;
}

/** What a request was answered with. */
export interface RpcAnswer {
  result?: unknown;
  error?: RpcError;
  /** The whole answer as it came. */
  text: string;
}

/** Codes that JSON-RPC and MCP give a meaning. */
export const rpcCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  unsupportedProtocolVersion: -32022,
  /** Said by a client: the user does not want it. */
  rejected: -1,
  /** Something went wrong on the way. */
  noAnswer: -32000,
} as const;

/** The messages in a text; undefined if it is not JSON-RPC. Up to 2025-06-18 there may be several. */
export function messagesIn(text: string): RpcMessage[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const values = Array.isArray(parsed) ? parsed : [parsed];
  return values.every(isObject) ? values.map((value) => ({ text, value })) : undefined;
}

/** What the message says about a request; undefined if it is something else. */
export function answerIn({ text, value }: RpcMessage, id: number): RpcAnswer | undefined {
  if (value.id !== id || 'method' in value) return undefined;
  if ('result' in value) return errorIn({ text, value }) ?? { result: value.result, text };
  // Nothing better would follow.
  const message = `The server's answer is malformed: ${neitherResultNorError}.`;
  return errorIn({ text, value }) ?? { error: { code: rpcCodes.noAnswer, message }, text };
}

/** An error, also one that does not say what it is about. */
export function errorIn({ text, value }: RpcMessage): RpcAnswer | undefined {
  const { error } = value;
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  return {
    error: {
      code: typeof code === 'number' ? code : rpcCodes.noAnswer,
      message: typeof message === 'string' ? message : 'an error without a message',
      ...(data !== undefined && { data }),
    },
    text,
  };
}
