import { Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { connectionError, HttpError } from './http-error.js';

/** Nobody compresses what is compressed so often. */
const maxEncodings = 4;

/**
 * What a body goes through: decoding, though no encoding was asked for, and a limit for what comes
 * of it. An encoding that is not known stays.
 */
export function bodyStages(encodings: string, maxBytes: number): Transform[] {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings) {
    throw new HttpError('malformed', `the body is encoded ${names.length} times over`);
  }
  const decoders = names.toReversed().map(decoderFor);
  const unknown = decoders.indexOf(undefined);
  const usable = unknown === -1 ? decoders : decoders.slice(0, unknown);
  return [...usable.filter((decoder) => decoder !== undefined), limitedTo(maxBytes)];
}

function decoderFor(encoding: string): Transform | undefined {
  if (encoding === 'br') return createBrotliDecompress();
  return /^(x-)?gzip$|^deflate$/.test(encoding) ? createUnzip() : undefined;
}

function limitedTo(maxBytes: number): Transform {
  let room = maxBytes;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      room -= chunk.length;
      if (room >= 0) done(null, chunk);
      else done(new HttpError('too-long', `the body is longer than ${maxBytes} bytes`));
    },
  });
}

/** What ended a body too early. What the system says about a file is not ours to explain. */
export function bodyError(error: unknown, host: string): unknown {
  if (error instanceof HttpError) return error;
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (/^(ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|HPE_)/.test(code))
    return connectionError(error, host);
  if (syscall !== undefined) return error;
  const text = `${host} sent a body that cannot be decoded: ${message}`;
  return new HttpError('malformed', text, { cause: error });
}
