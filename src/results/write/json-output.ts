import { TextFile } from '../../base/files.js';
import { isObject } from '../../base/json.js';
import { escapeTerminalCharacters, RawJson } from '../../base/json-text.js';
import { UnreadableResultsError } from '../results-errors.js';

/**
 * A value as JSON, with raw JSON in it as it is: parsing and writing it again could change it, and what a
 * server sends can be nested deeper than JSON.stringify can go. Undefined members are left out.
 */
export function stringifyWithRaw(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(stringifyWithRaw).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${stringifyWithRaw(member)}`],
  );
  return `{${members.join(',')}}`;
}

/** Replaces the raw JSON in a value by what it says. In place: a copy would lose keys such as `__proto__`. */
export function parseRaw(value: unknown): unknown {
  if (value instanceof RawJson) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, member] of Object.entries(value)) {
    const parsed = parseRaw(member);
    if (parsed !== member) Reflect.set(value, key, parsed);
  }
  return value;
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
