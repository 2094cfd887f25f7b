import { constants, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { keptOutputsFolder } from '../../run/journal/kept-outputs.js';

/** Writes the long outputs that workers sent beside the journal. */
export class ToldFiles {
  readonly #folder: string;

  constructor(journalPath: string) {
    this.#folder = keptOutputsFolder(journalPath);
  }

  /** A part that comes twice goes where it was. One that cannot be written is left out, as in a local run. */
  async write(name: string, offset: number, data: string): Promise<void> {
    // A worker says the name, and may write nowhere else.
    if (!/^[a-z0-9._-]+\.txt$/.test(name) || name.startsWith('.')) return;
    try {
      await mkdir(this.#folder, { recursive: true });
      const path = join(this.#folder, name);
      const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        // It may be done anew, after a worker was lost in the middle of it.
        if (offset === 0) await file.truncate();
        await file.write(Buffer.from(data), 0, undefined, offset);
      } finally {
        await file.close();
      }
    } catch {
      // The journal, which has its beginning and its end, is what counts.
    }
  }
}
