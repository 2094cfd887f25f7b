import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { NotStarted } from './not-started.js';

/**
 * Writes a file that the agent is handed, for nobody else to read. Throws NotStarted. At once: it is small, and
 * handing it to another thread takes longer than writing it.
 */
export function writePrivateFile(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new NotStarted(`the file ${file} for the agent could not be written: ${String(error)}`);
  }
  return file;
}
