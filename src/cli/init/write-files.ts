import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { plural } from '../../base/text.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import { UsageError } from '../exit-codes.js';

/** Writes files into a folder: all of them, or none if one of them would take the place of another. */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  isForced: boolean,
): Promise<void> {
  if (!isForced) await refuseExisting(folder, [...files.keys()]);
  for (const [name, text] of files) {
    const path = join(folder, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { flag: isForced ? 'w' : 'wx' });
    } catch (error) {
      throw new UsageError(`cannot write ${path}: ${explainWriteFailure(error).reason}`);
    }
  }
}

async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const name of names) {
    const isThere = await stat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isThere) found.push(name);
  }
  if (found.length === 0) return;
  const shown = found.slice(0, 5).join(', ');
  const hint = 'choose another folder, or overwrite with --force';
  throw new UsageError(`${folder} has ${plural(found.length, 'file')} already: ${shown}`, hint);
}
