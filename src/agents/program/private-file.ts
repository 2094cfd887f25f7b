import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NotStarted } from './not-started.js';

/** Writes a file that the agent is handed, for nobody else to read. Throws NotStarted. */
export async function writePrivateFile(
  folder: string,
  name: string,
  text: string,
): Promise<string> {
  const file = path.join(folder, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
  } catch (error) {
    throw new NotStarted(`the file ${file} for the agent could not be written: ${String(error)}`);
  }
  return file;
}
