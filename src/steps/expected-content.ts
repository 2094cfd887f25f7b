import { type FieldPath, parseFieldPath } from '../base/json.js';
import { compilePattern, type Pattern, quotePattern } from '../config/patterns/pattern.js';
import type { ExpectedContent } from '../config/schemas/step-schemas.js';
import type { Expectations, FieldExpectation } from './expectations.js';
import { resolveStrings } from './placeholder-values.js';
import type { StepContext } from './step.js';

type ExpectedField = NonNullable<ExpectedContent['fields']>[number];
type Resolve = StepContext['resolve'];

/** Replaces placeholders and compiles patterns and paths. Throws if one of them cannot be used. */
export function prepareExpectations(
  { match, fields = [] }: ExpectedContent,
  resolve: Resolve,
): Expectations {
  return {
    ...(match !== undefined && { pattern: preparePattern(match, resolve) }),
    fields: fields.map((field) => prepareField(field, resolve)),
  };
}

function prepareField(
  { path, equals, type, match, exists }: ExpectedField,
  resolve: Resolve,
): FieldExpectation {
  return {
    name: path,
    path: preparePath(path, resolve),
    ...(equals !== undefined && { equals: { value: prepareValue(equals, resolve) } }),
    ...(type !== undefined && { type: type === 'bool' ? 'boolean' : type }),
    ...(match !== undefined && { pattern: preparePattern(match, resolve) }),
    ...(exists !== undefined && { exists }),
  };
}

/** Compiles a pattern. An empty one would match anything, which is never meant. */
function preparePattern(match: string, resolve: Resolve): Pattern {
  const source = resolve(match, quotePattern);
  if (source.trim() === '') throw new Error(`the pattern ${JSON.stringify(match)} is empty`);
  const result = compilePattern(source);
  // The source without pattern quoting: secrets would not be recognised within it.
  if (result.ok) return { source: resolve(match), test: (text) => result.pattern.test(text) };
  throw new Error(`the pattern ${JSON.stringify(match)} cannot be used: ${result.reason}`);
}

/** Parses a path. A placeholder's value is one key or a part of it, whatever it holds; digits are an index. */
function preparePath(path: string, resolve: Resolve): FieldPath {
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

/** Refuses numbers that were rounded when the file was read: they would compare as others. */
function prepareValue(value: unknown, resolve: Resolve): unknown {
  const [inexact] = collectNumbers(value).filter((number) => !isExact(number));
  if (inexact === undefined) return resolveStrings(value, resolve);
  throw new Error(
    `${inexact} cannot be compared exactly: \`equals\` takes whole numbers up to ${Number.MAX_SAFE_INTEGER}; use \`match\` on the text`,
  );
}

function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

function collectNumbers(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(collectNumbers)
    : [];
}
