import { Writable } from 'node:stream';
import type { HttpRequest } from './http-request.js';
import { type AnswerHead, type TransferOptions, transfer } from './transfer.js';

export interface HttpAnswer extends AnswerHead {
  body: Buffer;
}

/** Sends a request and keeps the answer in memory. Throws HttpError. */
export async function exchange(
  request: HttpRequest,
  options: TransferOptions,
): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  const head = await transfer(request, options, () => sink);
  return { ...head, body: Buffer.concat(chunks) };
}
