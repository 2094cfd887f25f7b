import { isObject, type JsonObject } from '../base/json.js';
import { RpcError, rpcErrorCodes } from './rpc-error.js';

export interface RpcRequest {
  /** None: nobody waits for an answer. */
  id: string | number | undefined;
  method: string;
  params: JsonObject;
}

/** Throws RpcError. */
export function readRequest(line: string): RpcRequest {
  const message = parse(line);
  if (!isObject(message) || typeof message.method !== 'string') throw invalid('a request');
  const { id, method, params = {} } = message;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') throw invalid('an id');
  if (!isObject(params)) throw invalid('an object of params');
  return { id, method, params };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RpcError(rpcErrorCodes.parseError, 'the line is not JSON');
  }
}

function invalid(expected: string): RpcError {
  return new RpcError(rpcErrorCodes.invalidRequest, `expected ${expected} of JSON-RPC`);
}
