import { isObject, type JsonObject } from '../base/json.js';
import { neitherResultNorError } from './malformed-result.js';
import { errorCodes, type Message } from './message.js';

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** What a request was answered with. */
export interface RpcAnswer {
  result?: unknown;
  error?: RpcError;
  /** The whole answer as it came. */
  text: string;
}

/** What the message says about a request; undefined if it is something else. */
export function findAnswer(message: Message, id: number): RpcAnswer | undefined {
  const { text, value } = message;
  if (value.id !== id || 'method' in value) return undefined;
  const failed = findError(message);
  if (failed) return failed;
  if ('result' in value) return { result: value.result, text };
  // Nothing better would follow.
  const reason = `The server's answer is malformed: ${neitherResultNorError}.`;
  return { error: { code: errorCodes.relay, message: reason }, text };
}

/** The error in a message, also one without an id. */
export function findError({ text, value }: Message): RpcAnswer | undefined {
  const { error } = value;
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  return {
    error: {
      code: typeof code === 'number' ? code : errorCodes.relay,
      message: typeof message === 'string' ? message : 'an error without a message',
      ...(data !== undefined && { data }),
    },
    text,
  };
}

interface McpErrorDetails {
  code: McpError['code'];
  status?: number;
  rpcError?: RpcError;
}

/** Why a server cannot be used. The message is a sentence about it, without its address. */
export class McpError extends Error {
  /**
   * `refused`: the server answered with an error. `unusable`: what it answered is not MCP.
   * `aborted` and `closed` are caused by the user of the client.
   */
  readonly code: 'unreachable' | 'refused' | 'unusable' | 'timeout' | 'aborted' | 'closed';
  /** Status of the HTTP answer, if MCP does not provide for it. */
  readonly status: number | undefined;
  readonly rpcError: RpcError | undefined;

  constructor(message: string, { code, status, rpcError }: McpErrorDetails) {
    super(message);
    this.name = 'McpError';
    this.code = code;
    this.status = status;
    this.rpcError = rpcError;
  }

  /** Whether the user of the client caused it, and not the server. */
  get isOurs(): boolean {
    return this.code === 'aborted' || this.code === 'closed';
  }
}

/** Arguments of a tool as JSON text: a number in it may be larger than what JavaScript can hold. */
export class JsonArguments {
  /** A valid JSON object. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Params of a request. A member may be JsonArguments. */
export type RequestParams = Readonly<Record<string, unknown>>;

/** Formats params as JSON. Throws RangeError if a value is nested too deeply to be written. */
export function formatParams(params: RequestParams): string {
  const members = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${formatParam(value)}`);
  return `{${members.join(',')}}`;
}

function formatParam(value: unknown): string {
  return value instanceof JsonArguments ? value.text : JSON.stringify(value);
}

/** The answer to a request of the server: there is no user here, and no model. */
export function answerServerRequest({ value }: Message): string | undefined {
  const { id, method } = value;
  const isRequest = typeof id === 'string' || typeof id === 'number';
  if (!isRequest || typeof method !== 'string') return undefined;
  return JSON.stringify({ jsonrpc: '2.0', id, ...makeReply(method) });
}

/**
 * The params that go with the second try of a request whose result asks for input (2026-07-28);
 * undefined if it asks for none, or for what we cannot give.
 */
export function makeInputResponses(result: unknown): JsonObject | undefined {
  if (!isObject(result) || result.resultType !== 'input_required') return undefined;
  const { inputRequests = {}, requestState } = result;
  if (!isObject(inputRequests)) return undefined;
  const replies = Object.entries(inputRequests).map(([key, request]) => {
    const method = isObject(request) && typeof request.method === 'string' ? request.method : '';
    return { key, ...makeReply(method) };
  });
  if (replies.some(({ result: reply }) => reply === undefined)) return undefined;
  const inputResponses = Object.fromEntries(replies.map(({ key, result }) => [key, result]));
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}

function makeReply(method: string): { result?: object; error?: object } {
  switch (method) {
    case 'ping':
      return { result: {} };
    case 'roots/list':
      return { result: { roots: [] } };
    case 'elicitation/create':
      return { result: { action: 'decline' } };
    case 'sampling/createMessage':
      return { error: { code: errorCodes.rejected, message: 'there is no model to ask' } };
    default:
      return { error: { code: errorCodes.methodNotFound, message: 'method not found' } };
  }
}
