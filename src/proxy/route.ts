import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '../config/files/mcp-config-file.js';
import {
  errorCodes,
  formatErrorAnswer,
  type Message,
  type Messages,
  readIdText,
} from '../mcp/message.js';

/** What an agent posts: the bytes as they came, and what they say. */
export interface Body {
  bytes: Buffer;
  messages: Messages;
}

/** What answers at one URL of the proxy. */
export interface RouteHandler {
  /** A promise while the record is behind, which settles when more may come in. */
  pressure(): Promise<void> | undefined;
  /** The server behind this URL; the MCP config may not allow all its tools. */
  readonly server: McpServer;
  post(request: IncomingMessage, response: ServerResponse, body: Body): void;
  get(request: IncomingMessage, response: ServerResponse): void;
  delete(request: IncomingMessage, response: ServerResponse): void;
}

interface Refusal {
  code?: number;
  /** The message that is refused: its id goes into the answer. */
  id?: Message | undefined;
  allow?: string;
  /** The answer goes out at once, but the connection is not closed before this. */
  openUntil?: Promise<void>;
}

/** Answers with an HTTP error whose body is a JSON-RPC error, as MCP clients expect. */
export function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  { code = errorCodes.relay, id, allow, openUntil }: Refusal = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = Buffer.from(
    formatErrorAnswer(id?.kind === 'request' ? readIdText(id) : 'null', code, reason),
  );
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(allow !== undefined && { allow }),
  });
  response.write(body);
  if (openUntil) void openUntil.then(() => response.end());
  else response.end();
}
