import type { IncomingMessage, ServerResponse } from 'node:http';

/** What answers at one URL of the proxy. */
export interface RouteHandler {
  /** While the record is behind: settles when more may come in. */
  pressure(): Promise<void> | undefined;
  post(request: IncomingMessage, response: ServerResponse, body: Buffer): void;
  get(request: IncomingMessage, response: ServerResponse): void;
  delete(request: IncomingMessage, response: ServerResponse): void;
}
