import { isObject, type JsonObject } from '../../base/json.js';

const maxDepth = 5;

/**
 * Arguments that a tool's input schema allows: what is required, and no more. Undefined: there is no
 * meaningful. A server may still want others, which the schema does not say.
 */
export function makeSampleArguments(schema: unknown): JsonObject | undefined {
  const sample = makeSample(schema, 0);
  return isObject(sample) ? sample : undefined;
}

/** Texts of these are for people, and any will do. Others name something that has to be there. */
const freeText =
  /^(comment|content|description|input|keyword|message|note|prompt|query|question|search|term|text|thought|title|topic)s?$/i;

/** Whether some of it names what the server may not have, such as a path or an id. */
export function isGuess(args: JsonObject): boolean {
  return Object.entries(args).some(([name, value]) => !freeText.test(name) && hasMadeUpText(value));
}

function hasMadeUpText(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(madeUpText);
  if (Array.isArray(value)) return value.some(hasMadeUpText);
  return isObject(value) && isGuess(value);
}

const madeUpText = 'example';

function makeSample(schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth > maxDepth) return undefined;
  const { default: initial, const: only, enum: choices, examples } = schema;
  const given = [only, initial, pickFirst(examples), pickFirst(choices)].find(isPlain);
  if (given !== undefined) return given;
  const branch = pickFirst(schema.anyOf) ?? pickFirst(schema.oneOf) ?? pickFirst(schema.allOf);
  if (branch !== undefined && schema.properties === undefined) return makeSample(branch, depth + 1);
  switch (getType(schema)) {
    case 'object':
      return makeSampleObject(schema, depth);
    case 'array':
      return makeSampleArray(schema, depth);
    case 'string':
      return makeSampleText(schema);
    case 'integer':
    case 'number':
      return makeSampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return undefined;
  }
}

function getType({ type, properties }: JsonObject): unknown {
  if (type === undefined && properties !== undefined) return 'object';
  return Array.isArray(type) ? type.find((each) => each !== 'null') : type;
}

function makeSampleObject(
  { properties, required }: JsonObject,
  depth: number,
): JsonObject | undefined {
  const names = Array.isArray(required) ? required : [];
  const entries: [string, unknown][] = [];
  for (const name of names) {
    if (typeof name !== 'string') return undefined;
    const known = isObject(properties) && Object.hasOwn(properties, name);
    const value = known ? makeSample(properties[name], depth + 1) : undefined;
    if (value === undefined) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function makeSampleArray({ items, minItems }: JsonObject, depth: number): unknown[] | undefined {
  const count = typeof minItems === 'number' ? minItems : 1;
  const item = makeSample(items, depth + 1);
  if (count > 10) return undefined;
  if (item === undefined) return count === 0 ? [] : undefined;
  return Array.from({ length: count }, () => item);
}

const formats = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['time', '12:00:00Z'],
  ['email', 'somebody@example.com'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
]);

function makeSampleText({ format, pattern, minLength }: JsonObject): string | undefined {
  const known = typeof format === 'string' ? formats.get(format) : undefined;
  if (known !== undefined) return known;
  // What a pattern wants cannot be made up.
  if (pattern !== undefined) return undefined;
  const missing = typeof minLength === 'number' ? minLength - madeUpText.length : 0;
  return missing > 100 ? undefined : madeUpText + 'e'.repeat(Math.max(0, missing));
}

function makeSampleNumber(schema: JsonObject): number | undefined {
  const { minimum, maximum, exclusiveMinimum, multipleOf } = schema;
  if (typeof multipleOf === 'number') return typeof minimum === 'number' ? undefined : multipleOf;
  const least = typeof minimum === 'number' ? minimum : undefined;
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : undefined;
  const value = Math.max(1, least ?? 1, above ?? 1);
  return typeof maximum === 'number' ? Math.min(value, maximum) : value;
}

function pickFirst(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

/** Not null, and nothing that would be filled in when a script or a prompt is read. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !/[{}$]/.test(value);
  return typeof value === 'number' || typeof value === 'boolean';
}
