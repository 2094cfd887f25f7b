import * as z from 'zod/mini';
import { childSchema, schemaAt, unwrapped } from './schemas/schema-rules.js';
import type { DataPath } from './source-file.js';

/** Stands in for a required text that is missing, so that the rest of a file can be checked. */
export const unnamed = '(unnamed)';

/**
 * A copy of a value without the parts at the given paths, still of the schema's type: an optional
 * key is dropped, a required one is replaced by something neutral, and where neither works the part
 * that encloses it goes. List items keep their places, so that paths into the file stay right.
 */
export function repaired(
  schema: z.ZodMiniType,
  value: unknown,
  faulty: readonly DataPath[],
): unknown {
  let root = value;
  for (const path of faulty) {
    if (path.length === 0) return undefined;
    root = withoutPart(schema, root, path);
    if (root === undefined) return undefined;
  }
  return root;
}

function withoutPart(schema: z.ZodMiniType, root: unknown, path: DataPath): unknown {
  for (let length = path.length; length > 0; length--) {
    const parentPath = path.slice(0, length - 1);
    const segment = path[length - 1] ?? '';
    const parentSchema = schemaAt(schema, parentPath);
    if (!parentSchema) continue;
    const child = childSchema(parentSchema, segment);
    if (typeof segment === 'string' && droppable(parentSchema, child)) {
      return changed(root, [...parentPath, segment], undefined);
    }
    const neutral = child && neutralValue(child);
    if (neutral !== undefined) return changed(root, [...parentPath, segment], neutral);
  }
  return undefined;
}

function droppable(parent: z.core.$ZodType, child: z.core.$ZodType | undefined): boolean {
  const isRecord = unwrapped(parent) instanceof z.ZodMiniRecord;
  return child === undefined || isRecord || child instanceof z.ZodMiniOptional;
}

/** The least that has the type of a schema; what it says is reported as missing already. */
function neutralValue(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodMiniString) return unnamed;
  if (schema instanceof z.ZodMiniArray) return [];
  if (schema instanceof z.ZodMiniRecord) return {};
  if (schema instanceof z.ZodMiniEnum) return schema.options[0];
  if (!(schema instanceof z.ZodMiniObject)) return undefined;
  const shape: Record<string, z.core.$ZodType> = schema.def.shape;
  const required = Object.entries(shape).filter(([, each]) => !(each instanceof z.ZodMiniOptional));
  const values = required.map(([key, each]) => [key, neutralValue(each)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

/** A copy with another value at a path; an undefined value removes the key. */
export function changed(value: unknown, path: DataPath, replacement: unknown): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return replacement;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === segment ? changed(item, rest, replacement) : item,
    );
  }
  const copy: Record<PropertyKey, unknown> = { ...value };
  if (!Object.hasOwn(copy, segment) && replacement === undefined) return value;
  const next = changed(copy[segment], rest, replacement);
  if (next === undefined) delete copy[segment];
  else copy[segment] = next;
  return copy;
}
