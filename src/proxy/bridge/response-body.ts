import type { IncomingMessage } from 'node:http';
import { maxMessageLength } from '../../mcp/line-splitter.js';
import { BridgeFailure, reasonOf } from './failure.js';

export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type']?.trim() ?? '');
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
