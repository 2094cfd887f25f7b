/** A JSON object whose members are not known. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one: for values from outside, which may be anything. */
export function asRecord(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string, else undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A value as JSON; undefined if that is too long to keep, or nested too deep to write. */
export function stringifyBounded(value: unknown, maxLength: number): string | undefined {
  try {
    const json = JSON.stringify(value);
    return json !== undefined && json.length <= maxLength ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Keys and indexes that lead into a JSON value. */
export type FieldPath = readonly (string | number)[];

const key = '[^.\\[\\]]+';
const digits = '[0-9]+';

/** The grammar of paths as they are written in files, where an index may be a placeholder. */
export const fieldPathGrammar = makeGrammar(`${digits}|\\{[^{}\\[\\]]+\\}`);

const resolvedPath = new RegExp(makeGrammar(digits));
const segment = new RegExp(`\\[(${digits})\\]|(${key})`, 'g');

/** The parts of a path such as `data.items[0].id`; `data.0` has a key. Undefined if it is no path. */
export function parseFieldPath(path: string): FieldPath | undefined {
  if (!resolvedPath.test(path)) return undefined;
  return [...path.matchAll(segment)].map(([, index, name = '']) =>
    index === undefined ? name : Number(index),
  );
}

function makeGrammar(index: string): string {
  return `^(${key}|\\[(${index})\\])(\\.${key}|\\[(${index})\\])*$`;
}

/** What should be a JSON Schema: it comes from outside and is not validated. */
export type Schema = Readonly<Record<string, unknown>>;

/** Alternatives of alternatives without end are not looked through. */
const maxVariants = 50;

/**
 * The schemas that together say what a value can be: the schema itself, what it refers to, and its
 * alternatives (`string | null` is one with two).
 */
export function listSchemaVariants(schema: unknown, root: Schema): Schema[] {
  const variants: Schema[] = [];
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (!isObject(next) || variants.includes(next)) continue;
    if (variants.length === maxVariants) break;
    variants.push(next);
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const list = next[key];
      if (Array.isArray(list)) waiting.push(...list.slice(0, maxVariants));
    }
    if (typeof next.$ref === 'string') waiting.push(resolveReference(next.$ref, root));
  }
  return variants;
}

/** Only places within the schema: nothing is fetched. */
function resolveReference(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(place) || !Object.hasOwn(place, key)) return undefined;
    place = place[key];
  }
  return place;
}
