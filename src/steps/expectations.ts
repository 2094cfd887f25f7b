import { readTextAt } from '../base/json-text.js';
import type { FieldPath } from '../config/field-path.js';
import type { Pattern } from '../config/pattern.js';
import { equalsJson } from './expectations-equality.js';
import { type JsonType, jsonType, shownJson, shownText } from './expectations-shown.js';

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
export function unmetExpectations(expected: Expectations, found: FoundContent): string[] {
  const { pattern, fields } = expected;
  const unmet = [];
  if (pattern && !pattern.test(found.text)) {
    unmet.push(`${found.name}: expected ${matchOf(pattern)}, found ${shownText(found.text)}`);
  }
  if (fields.length === 0) return unmet;
  if (found.json === undefined) return [...unmet, noJson(found)];
  for (const field of fields) unmet.push(...unmetConditions(field, found.json));
  return unmet;
}

function noJson({ name, kind, text }: FoundContent): string {
  const shown = text === '' ? 'nothing' : shownText(text);
  return `${name}: expected JSON, found ${kind === undefined ? shown : `${shown} (${kind})`}`;
}

function unmetConditions(field: FieldExpectation, json: string): string[] {
  const value = readTextAt(json, field.path);
  return conditionsOf(field)
    .filter(({ holds }) => !holds(value))
    .map(({ expected, isAboutType }) => {
      const type = isAboutType && value !== undefined ? ` (${jsonType(value)})` : '';
      const found = value === undefined ? 'no such field' : shownJson(value);
      return `${field.name}: expected ${expected}, found ${found}${type}`;
    });
}

interface Condition {
  expected: string;
  isAboutType?: true;
  /** Of JSON; undefined: the field is not there. */
  holds(json: string | undefined): boolean;
}

function conditionsOf({ equals, type, pattern, exists }: FieldExpectation): Condition[] {
  const conditions: Condition[] = [];
  if (exists === false) {
    conditions.push({ expected: 'that it is not there', holds: (json) => json === undefined });
  }
  if (equals) {
    const expected = shownJson(JSON.stringify(equals.value));
    conditions.push({
      expected,
      holds: (json) => json !== undefined && equalsJson(equals.value, json),
    });
  }
  if (type) {
    conditions.push({
      expected: `the type ${type}`,
      isAboutType: true,
      holds: (json) => json !== undefined && jsonType(json) === type,
    });
  }
  if (pattern) {
    conditions.push({
      expected: `a string with ${matchOf(pattern)}`,
      isAboutType: true,
      holds: (json) => json?.startsWith('"') === true && pattern.test(JSON.parse(json)),
    });
  }
  if (exists === true || conditions.length === 0) {
    conditions.push({ expected: 'that it is there', holds: (json) => json !== undefined });
  }
  return conditions;
}

function matchOf({ source }: Pattern): string {
  return `a match of ${shownText(source)}`;
}
