import * as z from 'zod/mini';
import { isObject } from '../base/json.js';
import { describeFound, type LeftOut } from './left-out.js';

type Schema = z.core.$ZodType;
type Path = readonly (string | number)[];
type JsonObject = Record<string, unknown>;

interface RepairOptions {
  /** Where the value stands in its file, such as `taskRuns[2]`. */
  place: string;
  onLeftOut(part: LeftOut, path: Path): void;
  /** Values for members of the outermost object that have to be there and cannot be used. */
  fallbacks?: Readonly<Record<string, unknown>>;
}

/** Stands for a part of which nothing can be used. */
const unusable = Symbol('unusable');

/**
 * Makes a parsed JSON value fit a schema by leaving out what does not fit: an element of a list, an entry
 * of a map, an optional member; a member that may be null becomes null. A required part that cannot be used makes the
 * part around it unusable, up to the next one that can be left out. Works in place: a copy
 * would lose keys such as `__proto__`. False if nothing of the value can be used.
 */
export function repairValue<Type extends z.ZodMiniType>(
  schema: Type,
  value: unknown,
  options: RepairOptions,
): value is z.infer<Type> {
  if (z.safeParse(schema, value).success) return true;
  return repair(schema, value, [], options) !== unusable;
}

function repair(schema: Schema, value: unknown, path: Path, options: RepairOptions): unknown {
  if (z.safeParse(schema, value).success) return value;
  if (schema instanceof z.ZodMiniOptional) {
    const inner = repair(schema.def.innerType, value, path, options);
    return inner === unusable ? undefined : inner;
  }
  if (schema instanceof z.ZodMiniNullable) {
    const inner = repair(schema.def.innerType, value, path, options);
    return inner === unusable ? null : inner;
  }
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    return repairList(schema.def.element, value, path, options);
  }
  if (isObject(value)) {
    if (schema instanceof z.ZodMiniObject) {
      return repairObject(schema.def.shape, value, path, options);
    }
    if (schema instanceof z.ZodMiniRecord) {
      return repairMap(schema.def.valueType, value, path, options);
    }
  }
  const expected = describeExpected(z.safeParse(schema, value).error?.issues[0]);
  const place = formatPlace(options.place, path);
  options.onLeftOut({ place, expected, found: describeFound(value) }, path);
  if (schema instanceof z.ZodMiniArray) return [];
  return schema instanceof z.ZodMiniRecord ? {} : unusable;
}

function repairList(
  element: Schema,
  list: unknown[],
  path: Path,
  options: RepairOptions,
): unknown[] {
  let kept = 0;
  for (const [index, item] of list.entries()) {
    const value = repair(element, item, [...path, index], options);
    if (value === unusable) continue;
    list[kept] = value;
    kept += 1;
  }
  list.length = kept;
  return list;
}

function repairObject(
  shape: Readonly<Record<string, Schema>>,
  object: JsonObject,
  path: Path,
  options: RepairOptions,
): unknown {
  let isUsable = true;
  for (const [key, schema] of Object.entries(shape)) {
    const { fallbacks } = options;
    let value = repair(schema, readOwnMember(object, key), [...path, key], options);
    if (value === unusable && path.length === 0 && fallbacks && Object.hasOwn(fallbacks, key)) {
      value = structuredClone(fallbacks[key]);
    }
    if (value === unusable) isUsable = false;
    else if (value === undefined) Reflect.deleteProperty(object, key);
    else object[key] = value;
  }
  return isUsable ? object : unusable;
}

function repairMap(entry: Schema, map: JsonObject, path: Path, options: RepairOptions): JsonObject {
  for (const key of Object.keys(map)) {
    const value = repair(entry, map[key], [...path, key], options);
    if (value === unusable) Reflect.deleteProperty(map, key);
    else if (value !== map[key]) map[key] = value;
  }
  return map;
}

function readOwnMember(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** `taskRuns[2]` and `['calls', 0, 'kind']` become `taskRuns[2].calls[0].kind`. */
function formatPlace(start: string, path: Path): string {
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

/** Describes what a schema expected. */
function describeExpected(issue: z.core.$ZodIssue | undefined): string {
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
      return issue.errors.map(([first]) => describeExpected(first)).join(' or ');
    default:
      return 'something else';
  }
}
