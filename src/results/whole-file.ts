import { TextFile } from '../base/files.js';
import { escapeTerminalCharacters } from '../base/json-text.js';

export interface JsonOutput {
  add(text: string): Promise<void>;
}

/** Writes a file of JSON that is there at once and whole, or not at all. */
export async function writeWholeFile(
  path: string,
  write: (output: JsonOutput) => Promise<void>,
): Promise<void> {
  const file = await TextFile.create(path);
  try {
    await write({ add: (text) => file.write(escapeTerminalCharacters(text)) });
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.finish();
}
