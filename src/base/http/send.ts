import { type IncomingMessage, request as startRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connectionError } from './http-error.js';

interface SentRequest {
  method: string;
  /** What stands behind the method: a path, an address, or a host with its port. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer | undefined;
}

/** Sends a request over a connection that is open; the answer's body is still to come. */
export function send(
  socket: Socket,
  { method, target, headers, body }: SentRequest,
  host: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = startRequest({
      createConnection: () => socket,
      method,
      path: target,
      headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
      setHost: false,
    });
    // The protocol changes: what comes now is not ours to read.
    const switched = (response: IncomingMessage, _: unknown, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      resolve(response);
    };
    request.once('connect', switched);
    request.once('upgrade', switched);
    request.once('response', (response) => {
      // A flaw in the body is told to the request; to the response only that it is over.
      request.on('error', (error) => response.destroy(error));
      response.on('error', () => undefined);
      resolve(response);
    });
    request.on('error', (error) => reject(connectionError(error, host)));
    request.end(body);
  });
}
