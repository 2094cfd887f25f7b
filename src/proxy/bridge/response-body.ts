import type { IncomingMessage } from 'node:http';
import { BridgeFailure, reasonOf } from './failure.js';

/** In characters or bytes: what never ends must not fill the memory. */
export const maxMessageLength = 2 ** 28;

export const eventStream = 'text/event-stream';

export function mediaType({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxMessageLength) throw new Error(`it is longer than ${maxMessageLength} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw new BridgeFailure(`the answer broke off: ${reasonOf(error)}`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
