import type { ServerResponse } from 'node:http';
import { errorAnswer, errorCodes, idText, type Message } from '../message.js';

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
  const body = Buffer.from(errorAnswer(id?.kind === 'request' ? idText(id) : 'null', code, reason));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(allow !== undefined && { allow }),
  });
  response.write(body);
  if (openUntil) void openUntil.then(() => response.end());
  else response.end();
}
