import type { FileHandle } from 'node:fs/promises';

/** Throws Error if the file ends before. */
export async function readExactly(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let done = 0;
  while (done < bytes) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, at + done);
    if (bytesRead === 0) throw new Error('it is cut off');
    done += bytesRead;
  }
  return buffer;
}
