import { type FieldPath, isObject } from '../base/json.js';
import { readTextAt, toSingleLine, visitElements, visitMembers } from '../base/json-text.js';
import { dropPartialLastWord } from '../base/text.js';
import type { Pattern } from '../config/patterns/pattern.js';

/** Expectations of a text and its JSON; made by `prepareExpectations`. */
export interface Expectations {
  pattern?: Pattern;
  fields: readonly FieldExpectation[];
}

export interface FieldExpectation {
  /** The path as it is written, for messages. */
  name: string;
  path: FieldPath;
  /** Wrapped, as null is a value too. */
  equals?: { value: unknown };
  type?: JsonType;
  pattern?: Pattern;
  /** Undefined: required only as far as other conditions need it. */
  exists?: boolean;
}

/** The content that expectations are compared with. */
export interface FoundContent {
  /** Name of the content in messages: `body`, `content`. */
  name: string;
  /** The text for `match`. */
  text: string;
  /** Valid JSON for `fields`, as it was received. Undefined: there is none. */
  json: string | undefined;
  /** What was found in place of JSON, such as its media type. */
  kind?: string;
}

/**
 * Finds every expectation that does not hold, a sentence each, with the value found. Steps prepare
 * their expectations before they do anything, so that an invalid one does no harm.
 */
export function findUnmetExpectations(expected: Expectations, found: FoundContent): string[] {
  const { pattern, fields } = expected;
  const unmet = [];
  if (pattern && !pattern.test(found.text)) {
    unmet.push(`${found.name}: expected ${formatMatch(pattern)}, found ${quoteText(found.text)}`);
  }
  if (fields.length === 0) return unmet;
  if (found.json === undefined) return [...unmet, describeMissingJson(found)];
  for (const field of fields) unmet.push(...findUnmetConditions(field, found.json));
  return unmet;
}

/** Whether a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function describeMissingJson({ name, kind, text }: FoundContent): string {
  const shown = text === '' ? 'nothing' : quoteText(text);
  return `${name}: expected JSON, found ${kind === undefined ? shown : `${shown} (${kind})`}`;
}

function findUnmetConditions(field: FieldExpectation, json: string): string[] {
  const value = readTextAt(json, field.path);
  return listConditions(field)
    .filter(({ holds }) => !holds(value))
    .map(({ expected, isAboutType }) => {
      const type = isAboutType && value !== undefined ? ` (${findJsonType(value)})` : '';
      const found = value === undefined ? 'no such field' : quoteJson(value);
      return `${field.name}: expected ${expected}, found ${found}${type}`;
    });
}

interface Condition {
  expected: string;
  isAboutType?: true;
  /** Takes the field as JSON; undefined if it is missing. */
  holds(json: string | undefined): boolean;
}

function listConditions({ equals, type, pattern, exists }: FieldExpectation): Condition[] {
  const conditions: Condition[] = [];
  if (exists === false) {
    conditions.push({ expected: 'that it is not there', holds: (json) => json === undefined });
  }
  if (equals) {
    const expected = quoteJson(JSON.stringify(equals.value));
    conditions.push({
      expected,
      holds: (json) => json !== undefined && equalsJson(equals.value, json),
    });
  }
  if (type) {
    conditions.push({
      expected: `the type ${type}`,
      isAboutType: true,
      holds: (json) => json !== undefined && findJsonType(json) === type,
    });
  }
  if (pattern) {
    conditions.push({
      expected: `a string with ${formatMatch(pattern)}`,
      isAboutType: true,
      holds: (json) => json?.startsWith('"') === true && pattern.test(JSON.parse(json)),
    });
  }
  if (exists === true || conditions.length === 0) {
    conditions.push({ expected: 'that it is there', holds: (json) => json !== undefined });
  }
  return conditions;
}

function formatMatch({ source }: Pattern): string {
  return `a match of ${quoteText(source)}`;
}

/** Length of a quoted value, in characters: enough to recognise it. */
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

/** The type of a value in valid JSON, without surrounding whitespace. */
function findJsonType(json: string): JsonType {
  return typesByStart[json.charAt(0)] ?? 'number';
}

/** Quotes valid JSON for a message. */
function quoteJson(json: string): string {
  return quoteStart(json, toSingleLine);
}

/** Quotes a text for a message. */
function quoteText(text: string): string {
  return quoteStart(text, JSON.stringify);
}

function quoteStart(text: string, write: (text: string) => string): string {
  if (text.length <= maxShown) return write(text);
  const start = dropPartialLastWord(text.slice(0, maxShown));
  return `${write(`${start} …`)} (${text.length} characters)`;
}

/**
 * Whether a value in valid JSON is the expected one: the order of keys does not matter, that of a
 * list does, and a large number has to be the same in every digit. It recurses as deep as what is
 * expected, which the file reader has bounded, and never deeper into what was received.
 */
export function equalsJson(expected: unknown, json: string): boolean {
  if (typeof expected === 'number')
    return findJsonType(json) === 'number' && equalsNumber(expected, json);
  if (Array.isArray(expected)) return findJsonType(json) === 'array' && equalsList(expected, json);
  if (isObject(expected)) return findJsonType(json) === 'object' && equalsMap(expected, json);
  if (typeof expected === 'string') return json.startsWith('"') && JSON.parse(json) === expected;
  return json === String(expected);
}

function equalsList(expected: readonly unknown[], json: string): boolean {
  let length = 0;
  let areEqual = true;
  visitElements(json, (start, end) => {
    const item = expected[length++];
    areEqual = length <= expected.length && equalsJson(item, json.slice(start, end));
    return areEqual;
  });
  return areEqual && length === expected.length;
}

/** Compares maps. The last of duplicate keys counts, as in JSON.parse. */
function equalsMap(expected: Readonly<Record<string, unknown>>, json: string): boolean {
  const values = new Map<string, string>();
  let hasOther = false;
  visitMembers(json, (key, start, end) => {
    if (Object.hasOwn(expected, key)) values.set(key, json.slice(start, end));
    else hasOther = true;
  });
  if (hasOther) return false;
  return Object.entries(expected).every(([key, value]) => {
    const found = values.get(key);
    return found !== undefined && equalsJson(value, found);
  });
}

/** Compares fractions as doubles, and whole numbers digit by digit. */
function equalsNumber(expected: number, json: string): boolean {
  if (Number(json) !== expected) return false;
  return !Number.isInteger(expected) || readDigits(json) === readDigits(String(expected));
}

/** The significant digits of a number: the same for 1200, 1.2e3 and 1200.0. */
function readDigits(number: string): string {
  const [mantissa = ''] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  return `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
}
