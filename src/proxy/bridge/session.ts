import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../base/json.js';
import { encodeHeaderValue, ToolHeaders } from '../../mcp/mcp-headers.js';
import { type Message, readStatelessVersion } from '../../mcp/message.js';
import { buildStandardHeaders } from '../standard-headers.js';

/** What the two sides agreed on, and the headers that say so on every HTTP request. */
export class BridgeSession {
  readonly toolHeaders = new ToolHeaders();
  /** Assigned by the server in the stateful era. */
  id: string | undefined;
  /** Whether an `initialize` was answered: the stateful era. */
  isInitialized = false;
  #version: string | undefined;

  /** A client that initialises anew has done with the old session. */
  start(): void {
    this.id = undefined;
    this.isInitialized = false;
    this.#version = undefined;
  }

  takeId(headers: IncomingHttpHeaders): void {
    const id = headers['mcp-session-id'];
    if (typeof id === 'string' && id !== '') this.id = id;
  }

  takeInitializeResult(result: unknown): void {
    if (!isObject(result)) return;
    this.isInitialized = true;
    if (typeof result.protocolVersion === 'string') this.#version = result.protocolVersion;
  }

  /** Headers of a request without a message, or with one of the stateful revisions. */
  headers(): Record<string, string> {
    return {
      ...(this.id !== undefined && { 'Mcp-Session-Id': this.id }),
      ...(this.#version !== undefined && {
        'MCP-Protocol-Version': encodeHeaderValue(this.#version),
      }),
    };
  }

  headersFor(message: Message | undefined): Record<string, string> {
    if (message === undefined || readStatelessVersion(message) === undefined) return this.headers();
    const { method, params } = message;
    return {
      ...buildStandardHeaders(message),
      ...(method === 'tools/call' && this.toolHeaders.headersFor(params)),
    };
  }
}
