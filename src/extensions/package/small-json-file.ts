import { readFile, stat } from 'node:fs/promises';

const maxBytes = 1024 * 1024;

/** What a file of ours holds; undefined if there is none. Throws Error if it cannot be read. */
export async function readSmallJson(path: string): Promise<unknown> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is not a regular file');
    if (found.size > maxBytes) throw new Error('it is too large');
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
