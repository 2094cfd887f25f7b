import { isObject, type JsonObject } from '../base/json.js';
import { type RpcMessage, rpcCodes } from './rpc-message.js';

/** What we answer to a request of the server: there is no user here, and no model. */
export function answerToServer({ value }: RpcMessage): string | undefined {
  const { id, method } = value;
  const isRequest = typeof id === 'string' || typeof id === 'number';
  if (!isRequest || typeof method !== 'string') return undefined;
  return JSON.stringify({ jsonrpc: '2.0', id, ...replyTo(method) });
}

/**
 * The params that go with the second try of a request whose result asks for input (2026-07-28);
 * undefined if it asks for none, or for what we cannot give.
 */
export function inputFor(result: unknown): JsonObject | undefined {
  if (!isObject(result) || result.resultType !== 'input_required') return undefined;
  const { inputRequests = {}, requestState } = result;
  if (!isObject(inputRequests)) return undefined;
  const replies = Object.entries(inputRequests).map(([key, request]) => {
    const method = isObject(request) && typeof request.method === 'string' ? request.method : '';
    return { key, ...replyTo(method) };
  });
  if (replies.some(({ result: reply }) => reply === undefined)) return undefined;
  const inputResponses = Object.fromEntries(replies.map(({ key, result }) => [key, result]));
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}

function replyTo(method: string): { result?: object; error?: object } {
  switch (method) {
    case 'ping':
      return { result: {} };
    case 'roots/list':
      return { result: { roots: [] } };
    case 'elicitation/create':
      return { result: { action: 'decline' } };
    case 'sampling/createMessage':
      return { error: { code: rpcCodes.rejected, message: 'there is no model to ask' } };
    default:
      return { error: { code: rpcCodes.methodNotFound, message: 'method not found' } };
  }
}
