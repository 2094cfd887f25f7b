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
export function stringifyIfShort(value: unknown, maxLength: number): string | undefined {
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

/** Whether two values parsed from JSON are equal, without recursion: they may be nested to any depth. */
export function isSameJson(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) {
      return false;
    }
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      pending.push([one[key], other[key]]);
    }
  }
  return true;
}

/** Whether a value is nested deeper than `levels`: JSON.stringify recurses into all of them. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

/** The JSON of a value that was parsed from JSON, even if it is nested deeper than JSON.stringify can go. */
export function stringifyDeep(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return stringifyWithoutRecursion(value);
    throw error;
  }
}

/** What is still to be written: a value, or text as it is. */
type PendingJson = { value: unknown } | { text: string };

function stringifyWithoutRecursion(root: unknown): string {
  const texts: string[] = [];
  const pending: PendingJson[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) texts.push(next.text);
    else if (!isNested(next.value)) texts.push(JSON.stringify(next.value) ?? 'null');
    else for (const part of splitJson(next.value).reverse()) pending.push(part);
  }
  return texts.join('');
}

function splitJson(value: JsonObject): PendingJson[] {
  const isList = Array.isArray(value);
  const parts: PendingJson[] = [{ text: isList ? '[' : '{' }];
  for (const [index, [key, member]] of Object.entries(value).entries()) {
    if (index > 0) parts.push({ text: ',' });
    if (!isList) parts.push({ text: `${JSON.stringify(key)}:` });
    parts.push({ value: member });
  }
  parts.push({ text: isList ? ']' : '}' });
  return parts;
}

/** An object or an array. */
function isNested(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
