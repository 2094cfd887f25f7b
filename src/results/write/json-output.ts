import { TextFile } from '../../base/files.js';
import { escapeTerminalCharacters, RawJson } from '../../base/json-text.js';
import { UnreadableResultsError } from '../results-errors.js';

/**
 * An object as JSON. Raw JSON is inserted as text: parsing and writing it again could change it, and what a
 * server sends can be nested deeper than JSON.stringify can go. Undefined members are left out.
 */
export function buildJsonObject(members: Readonly<Record<string, unknown>>): RawJson {
  const texts: string[] = [];
  for (const [key, value] of Object.entries(members)) {
    const json = value instanceof RawJson ? value.text : JSON.stringify(value);
    if (json !== undefined) texts.push(`${JSON.stringify(key)}:${json}`);
  }
  return new RawJson(`{${texts.join(',')}}`);
}

export function buildJsonArray(items: readonly RawJson[]): RawJson {
  return new RawJson(`[${items.map(({ text }) => text).join(',')}]`);
}

interface JsonOutput {
  add(text: string): Promise<void>;
}

/** Writes a JSON file that appears complete, or not at all. */
export async function writeJsonFile(
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

/** Writes a value that was read from a file. Throws if it is nested too deep: reading it is possible at any depth. */
export function stringifyFileValue(path: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw UnreadableResultsError.damaged(
      path,
      'something in it is nested too deep to be written again',
    );
  }
}
