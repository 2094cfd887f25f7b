import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const hexHash = /^[0-9a-f]{64}$/;

/** A hash as it is compared and used in paths; undefined if the text is none. */
export function sha256In(text: string): string | undefined {
  const lower = text.toLowerCase();
  return hexHash.test(lower) ? lower : undefined;
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
