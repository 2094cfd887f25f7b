import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Messages } from '../message.js';

/** What an agent posts: the bytes as they came, and what they say. */
export interface Body {
  bytes: Buffer;
  messages: Messages;
}

/** What answers at one URL of the proxy. */
export interface RouteHandler {
  /** While the record is behind: settles when more may come in. */
  pressure(): Promise<void> | undefined;
  /** Whose tools may not all be called. */
  readonly server: McpServer;
  post(request: IncomingMessage, response: ServerResponse, body: Body): void;
  get(request: IncomingMessage, response: ServerResponse): void;
  delete(request: IncomingMessage, response: ServerResponse): void;
}
