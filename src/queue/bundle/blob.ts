import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Fast rather than small: the network is near. */
export function packBlob(content: Uint8Array): Promise<Buffer> {
  return compress(content, { level: constants.Z_BEST_SPEED });
}

/** Stops at the size that is expected, whatever a few bytes would blow up to. Throws if it is no blob. */
export async function unpackBlob(blob: Uint8Array, maxBytes: number): Promise<Buffer> {
  // Zero would mean no limit.
  return decompress(blob, { maxOutputLength: Math.max(maxBytes, 1) });
}
