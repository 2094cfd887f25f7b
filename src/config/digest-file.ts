import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** In bytes. Programs can be larger than one wants to have in memory. */
const chunkSize = 1024 * 1024;

/** Undefined: it cannot be read, such as one whose name a placeholder completes. */
export function digestFile(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    const file = openSync(path, 'r');
    try {
      // Loaded where it is needed: as an import it would slow down `proctor validate`.
      const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
      const chunk = Buffer.alloc(chunkSize);
      for (;;) {
        const length = readSync(file, chunk);
        if (length === 0) return hash.digest('hex');
        hash.update(chunk.subarray(0, length));
      }
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
