import { type FieldPath, parseFieldPath } from '../base/json.js';
import { compilePattern, type Pattern, quotePattern } from '../config/patterns/pattern.js';
import type { Expectations, FieldExpectation } from './expectations.js';
import type { JsonType } from './expectations-shown.js';
import { resolvedStrings } from './resolved-strings.js';
import type { StepContext } from './step.js';

/** What stands under `expect.body` and `expect.content`. */
export interface ExpectedContent {
  match?: string;
  fields?: readonly ExpectedField[];
}

interface ExpectedField {
  path: string;
  equals?: unknown;
  type?: JsonType | 'bool';
  match?: string;
  exists?: boolean;
}

type Resolve = StepContext['resolve'];

/** With placeholders replaced. Throws if one, or what comes of it, cannot be used. */
export function preparedExpectations(
  { match, fields = [] }: ExpectedContent,
  resolve: Resolve,
): Expectations {
  return {
    ...(match !== undefined && { pattern: preparedPattern(match, resolve) }),
    fields: fields.map((field) => preparedField(field, resolve)),
  };
}

function preparedField(
  { path, equals, type, match, exists }: ExpectedField,
  resolve: Resolve,
): FieldExpectation {
  return {
    name: path,
    path: preparedPath(path, resolve),
    ...(equals !== undefined && { equals: { value: preparedValue(equals, resolve) } }),
    ...(type !== undefined && { type: type === 'bool' ? 'boolean' : type }),
    ...(match !== undefined && { pattern: preparedPattern(match, resolve) }),
    ...(exists !== undefined && { exists }),
  };
}

/** Empty, it would match anything: nobody means that. */
function preparedPattern(match: string, resolve: Resolve): Pattern {
  const source = resolve(match, quotePattern);
  if (source.trim() === '') throw new Error(`the pattern ${JSON.stringify(match)} is empty`);
  const result = compilePattern(source);
  // Told as it is meant: within the quoting of a pattern, nobody would recognise a secret.
  if (result.ok) return { source: resolve(match), test: (text) => result.pattern.test(text) };
  throw new Error(`the pattern ${JSON.stringify(match)} cannot be used: ${result.reason}`);
}

/** What is put in is one key or a part of it, whatever is in it; digits are an index in brackets. */
function preparedPath(path: string, resolve: Resolve): FieldPath {
  const values: string[] = [];
  const marked = resolve(path, (value) =>
    /^\d+$/.test(value) ? value : `\0${values.push(value) - 1}\0`,
  );
  const parts = parseFieldPath(marked);
  if (!parts) throw new Error(`${JSON.stringify(path)} does not become a path into JSON`);
  return parts.map((part) =>
    typeof part === 'number'
      ? part
      : part.replace(/\0(\d+)\0/g, (_, index) => values[Number(index)] ?? ''),
  );
}

/** A number that is rounded already when the file is read would be another one. */
function preparedValue(value: unknown, resolve: Resolve): unknown {
  const [inexact] = numbersIn(value).filter((number) => !isExact(number));
  if (inexact === undefined) return resolvedStrings(value, resolve);
  throw new Error(
    `${inexact} cannot be compared exactly: \`equals\` takes whole numbers up to ${Number.MAX_SAFE_INTEGER}; use \`match\` on the text`,
  );
}

function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
