import { dropPartialLastWord } from '../base/text.js';
import type { FieldPath } from '../config/field-path.js';
import { isMap } from '../config/kind.js';
import type { Pattern } from '../config/pattern.js';
import { visitElements, visitMembers } from '../events/json-members.js';
import { jsonPart } from '../events/json-part.js';
import { oneLine } from '../events/one-line.js';

/** What a text and its JSON must be; made by `preparedExpectations`. */
export interface Expectations {
  pattern?: Pattern;
  fields: readonly FieldExpectation[];
}

export interface FieldExpectation {
  /** As it is written. */
  name: string;
  path: FieldPath;
  /** In a box: null is a value too. */
  equals?: { value: unknown };
  type?: JsonType;
  pattern?: Pattern;
  /** Undefined: only as far as the other conditions need it. */
  exists?: boolean;
}

/** What there is. */
export interface FoundContent {
  /** How to call it: `body`, `content`. */
  name: string;
  /** What `match` looks at. */
  text: string;
  /** What `fields` look into: a valid JSON text, as it came. Undefined: there is no JSON. */
  json: string | undefined;
  /** What there is in place of JSON, such as its media type. */
  kind?: string;
}

/**
 * Every expectation that does not hold, a sentence each, with the value found. For a step: prepare
 * the expectations before anything is done, so that one that cannot be used does no harm.
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

function describeMissingJson({ name, kind, text }: FoundContent): string {
  const shown = text === '' ? 'nothing' : quoteText(text);
  return `${name}: expected JSON, found ${kind === undefined ? shown : `${shown} (${kind})`}`;
}

function findUnmetConditions(field: FieldExpectation, json: string): string[] {
  const value = jsonPart(json, field.path);
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
  /** Of JSON; undefined: the field is not there. */
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
export function findJsonType(json: string): JsonType {
  return typesByStart[json.charAt(0)] ?? 'number';
}

/** A value of valid JSON in a message. */
function quoteJson(json: string): string {
  return quoteStart(json, oneLine);
}

/** A text in a message. */
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
 * list does, and a large number has to be the same in every digit. It goes as deep as what is
 * expected, which a file has bounded, and never deeper into what somebody sent.
 */
export function equalsJson(expected: unknown, json: string): boolean {
  if (typeof expected === 'number')
    return findJsonType(json) === 'number' && equalsNumber(expected, json);
  if (Array.isArray(expected)) return findJsonType(json) === 'array' && equalsList(expected, json);
  if (isMap(expected)) return findJsonType(json) === 'object' && equalsMap(expected, json);
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

/** Of a key that is there twice the last one counts, as for everybody who parses it. */
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

/** A fraction is what a double makes of it; a whole number is compared digit by digit. */
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
