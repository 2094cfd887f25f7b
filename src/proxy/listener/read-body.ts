import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './refuse.js';

/** Bytes of one request: far more than any agent sends on purpose. */
const maxBody = 32 * 1024 * 1024;

/** Reads the body of a request. One that is too large is refused as soon as that is known. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  done: (body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const tooLarge = () => {
    request.removeAllListeners('data');
    request.removeAllListeners('end');
    chunks.length = 0;
    const reason = `the body is larger than ${maxBody / 1024 / 1024} MiB`;
    refuse(response, 413, reason, { openUntil: discard(request) });
  };
  if (Number(request.headers['content-length'] ?? 0) > maxBody) {
    tooLarge();
    return;
  }
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maxBody) tooLarge();
  });
  request.on('end', () => {
    const [first] = chunks;
    done(chunks.length === 1 && first ? first : Buffer.concat(chunks));
  });
  // The agent went away while it sent: there is nothing to answer and nobody to answer to.
  request.on('error', () => {});
}

/** Whoever sends more in spite of the refusal is cut off. */
const maxDiscarded = 4 * maxBody;

/**
 * Reads on for a while without keeping anything: to a connection that is closed while it still
 * sends, a client gets an error of the connection in place of the answer.
 */
function discard(request: IncomingMessage): Promise<void> {
  let length = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxDiscarded) request.destroy();
    });
    request.once('end', resolve);
    request.once('close', resolve);
  });
}
