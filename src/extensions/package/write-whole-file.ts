import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** The file is there at once and whole, or as it was. Throws what the file system says. */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}
