import { isObject, type JsonObject } from '../base/json.js';
import type { ExtensionLog } from './extension.js';

export const rpcErrorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/** An error answer of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** Formats a thrown value, which need not be an Error. */
export function formatThrown(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === 'string' ? thrown : `${typeof thrown} was thrown`;
}

export interface RpcRequest {
  /** Undefined for a notification, which gets no answer. */
  id: string | number | undefined;
  method: string;
  params: JsonObject;
}

/** Parses a line as a request. Throws RpcError. */
export function readRequest(line: string): RpcRequest {
  const message = parseLine(line);
  if (!isObject(message) || typeof message.method !== 'string')
    throw createInvalidRequestError('a request');
  const { id, method, params = {} } = message;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw createInvalidRequestError('an id');
  if (!isObject(params)) throw createInvalidRequestError('an object of params');
  return { id, method, params };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RpcError(rpcErrorCodes.parseError, 'the line is not JSON');
  }
}

function createInvalidRequestError(expected: string): RpcError {
  return new RpcError(rpcErrorCodes.invalidRequest, `expected ${expected} of JSON-RPC`);
}

/** Writes messages to Proctor, one per line. */
export class MessageWriter {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  result(id: string | number, result: unknown): void {
    try {
      this.#send({ id, result });
    } catch (error) {
      const message = `the outputs cannot be written as JSON: ${formatThrown(error)}`;
      this.error(id, new RpcError(rpcErrorCodes.internalError, message));
    }
  }

  error(id: string | number | null, { code, message }: RpcError): void {
    this.#send({ id, error: { code, message } });
  }

  readonly log: ExtensionLog = {
    debug: (message, data) => this.#log('debug', message, data),
    info: (message, data) => this.#log('info', message, data),
    warn: (message, data) => this.#log('warn', message, data),
    error: (message, data) => this.#log('error', message, data),
  };

  #log(level: keyof ExtensionLog, text: unknown, data: unknown): void {
    // Logging must not fail, and without a compiler `text` may be anything.
    const message = String(text);
    try {
      this.#send({ method: 'log', params: { level, message, data } });
    } catch (error) {
      const reason = `(data cannot be written as JSON: ${formatThrown(error)})`;
      this.#send({ method: 'log', params: { level, message: `${message} ${reason}` } });
    }
  }

  #send(message: object): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
