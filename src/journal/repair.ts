import * as z from 'zod/mini';
import { isObject } from '../base/json.js';
import { foundText, type LeftOut } from './left-out.js';

type Schema = z.core.$ZodType;
type Path = readonly (string | number)[];
type JsonObject = Record<string, unknown>;

interface Mending {
  /** Stands before the place of what is left out, such as `taskRuns[2]`. */
  place: string;
  onLeftOut(part: LeftOut, path: Path): void;
  /** For members of the outermost object that have to be there. */
  fallbacks?: Readonly<Record<string, unknown>>;
}

/** What a part is when nothing of it can be used. */
const unusable = Symbol('unusable');

/**
 * Makes a parsed JSON value fit a schema by leaving out what does not fit: an element of a list, an entry
 * of a map, an optional member; a member that may be null becomes null. What has to be there and cannot be
 * used takes what is around it along, up to the next part that can be left out. Works in place: a copy
 * would lose keys such as `__proto__`. False if nothing of the value can be used.
 */
export function mend<Type extends z.ZodMiniType>(
  schema: Type,
  value: unknown,
  mending: Mending,
): value is z.infer<Type> {
  if (z.safeParse(schema, value).success) return true;
  return mended(schema, value, [], mending) !== unusable;
}

function mended(schema: Schema, value: unknown, path: Path, mending: Mending): unknown {
  if (z.safeParse(schema, value).success) return value;
  if (schema instanceof z.ZodMiniOptional) {
    const inner = mended(schema.def.innerType, value, path, mending);
    return inner === unusable ? undefined : inner;
  }
  if (schema instanceof z.ZodMiniNullable) {
    const inner = mended(schema.def.innerType, value, path, mending);
    return inner === unusable ? null : inner;
  }
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    return mendedList(schema.def.element, value, path, mending);
  }
  if (isObject(value)) {
    if (schema instanceof z.ZodMiniObject) {
      return mendedObject(schema.def.shape, value, path, mending);
    }
    if (schema instanceof z.ZodMiniRecord) {
      return mendedMap(schema.def.valueType, value, path, mending);
    }
  }
  const expected = expectedText(z.safeParse(schema, value).error?.issues[0]);
  const place = placeText(mending.place, path);
  mending.onLeftOut({ place, expected, found: foundText(value) }, path);
  if (schema instanceof z.ZodMiniArray) return [];
  return schema instanceof z.ZodMiniRecord ? {} : unusable;
}

function mendedList(element: Schema, list: unknown[], path: Path, mending: Mending): unknown[] {
  let kept = 0;
  for (const [index, each] of list.entries()) {
    const value = mended(element, each, [...path, index], mending);
    if (value === unusable) continue;
    list[kept] = value;
    kept += 1;
  }
  list.length = kept;
  return list;
}

function mendedObject(
  shape: Readonly<Record<string, Schema>>,
  object: JsonObject,
  path: Path,
  mending: Mending,
): unknown {
  let isUsable = true;
  for (const [key, schema] of Object.entries(shape)) {
    const { fallbacks } = mending;
    let value = mended(schema, ownMember(object, key), [...path, key], mending);
    if (value === unusable && path.length === 0 && fallbacks && Object.hasOwn(fallbacks, key)) {
      value = structuredClone(fallbacks[key]);
    }
    if (value === unusable) isUsable = false;
    else if (value === undefined) Reflect.deleteProperty(object, key);
    else object[key] = value;
  }
  return isUsable ? object : unusable;
}

function mendedMap(entry: Schema, map: JsonObject, path: Path, mending: Mending): JsonObject {
  for (const key of Object.keys(map)) {
    const value = mended(entry, map[key], [...path, key], mending);
    if (value === unusable) Reflect.deleteProperty(map, key);
    else if (value !== map[key]) map[key] = value;
  }
  return map;
}

function ownMember(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** `taskRuns[2]` and `['calls', 0, 'kind']` become `taskRuns[2].calls[0].kind`. */
function placeText(start: string, path: Path): string {
  const steps = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return `${start}${steps.join('')}`.replace(/(^|, )\./, '$1');
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** What a schema wanted, in words. */
function expectedText(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? issue.expected;
    case 'invalid_value': {
      const values = issue.values.map(String);
      return values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
    }
    case 'too_small':
      return `a number of at least ${issue.minimum}`;
    case 'too_big':
      return `a number of at most ${issue.maximum}`;
    case 'invalid_union':
      return issue.errors.map(([first]) => expectedText(first)).join(' or ');
    default:
      return 'something else';
  }
}
