import { open } from 'node:fs/promises';

const beginning = '{"seq":1,"at":"';
const chunkSize = 64 * 1024;

/** Whether whoever wrote a journal was killed before its first line was whole. */
export async function wasNeverBegun(journal: string): Promise<boolean> {
  const file = await open(journal, 'r');
  try {
    const chunk = Buffer.allocUnsafe(chunkSize);
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
      const bytes = chunk.subarray(0, bytesRead);
      if (bytesRead === 0) return true;
      if (position === 0 && !isBeginning(bytes.toString('latin1', 0, beginning.length)))
        return false;
      if (bytes.includes('\n')) return false;
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}

function isBeginning(text: string): boolean {
  return text === beginning.slice(0, text.length);
}
