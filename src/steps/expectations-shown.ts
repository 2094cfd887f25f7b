import { toSingleLine } from '../base/json-text.js';
import { dropPartialLastWord } from '../base/text.js';

/** In characters: enough to recognise a value. */
const maxShown = 200;

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';

const typesByStart: Readonly<Record<string, JsonType>> = {
  '"': 'string',
  '[': 'array',
  '{': 'object',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** Of a value in valid JSON, without space around it. */
export function jsonType(json: string): JsonType {
  return typesByStart[json.charAt(0)] ?? 'number';
}

/** A value of valid JSON in a message. */
export function shownJson(json: string): string {
  return shown(json, toSingleLine);
}

/** A text in a message. */
export function shownText(text: string): string {
  return shown(text, JSON.stringify);
}

function shown(text: string, write: (text: string) => string): string {
  if (text.length <= maxShown) return write(text);
  const start = dropPartialLastWord(text.slice(0, maxShown));
  return `${write(`${start} …`)} (${text.length} characters)`;
}
