import * as z from 'zod/mini';
import type { ProblemCode } from '../problem-codes.js';

/**
 * What a schema means beyond what zod can say of it. The rules live beside the schema they belong
 * to and serve validation, JSON Schema and the reference docs alike.
 */
export interface SchemaRules {
  /** Keys of which exactly one must be given. */
  exactlyOne?: readonly string[];
  /** The problem that an unknown key is; a warning (`unknown-key`) unless said otherwise. */
  unknownKey?: ProblemCode;
  /** The problem that an empty list is. */
  emptyList?: ProblemCode;
  /** Keys of any name with a dot in it are allowed (`server.tool` steps). */
  dottedKeys?: string;
  /** What helps where a value has the wrong type. */
  hint?: string;
  /** What JSON Schema can say besides, for editors. */
  jsonSchema?: Record<string, unknown>;
  /** A key left empty (null) is an error here instead of the same as none. */
  nullIsError?: boolean;
}

const rules = z.registry<SchemaRules>();

export function withRules<Schema extends z.ZodMiniType>(
  schema: Schema,
  added: SchemaRules,
): Schema {
  rules.add(schema, { ...rules.get(schema), ...added });
  return schema;
}

export function rulesOf(schema: z.core.$ZodType): SchemaRules {
  return (rules.get(schema as z.ZodMiniType) as SchemaRules | undefined) ?? {};
}

/** The schema inside optional wrappers. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (inner instanceof z.ZodMiniOptional) inner = inner.def.innerType;
  return inner;
}

/** The schema of the value under a key or index, if the schema knows it. */
export function childSchema(
  schema: z.core.$ZodType,
  segment: string | number,
): z.core.$ZodType | undefined {
  const parent = unwrapped(schema);
  if (parent instanceof z.ZodMiniObject) {
    const shape: Record<string, z.core.$ZodType> = parent.def.shape;
    if (Object.hasOwn(shape, segment)) return shape[segment];
    return parent.def.catchall instanceof z.ZodMiniNever ? undefined : parent.def.catchall;
  }
  if (parent instanceof z.ZodMiniArray) return parent.def.element;
  if (parent instanceof z.ZodMiniRecord) return parent.def.valueType;
  return undefined;
}

export function schemaAt(
  root: z.core.$ZodType,
  path: readonly (string | number)[],
): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = root;
  for (const segment of path) schema = schema && childSchema(schema, segment);
  return schema;
}

export function knownKeys(schema: z.core.$ZodType | undefined): string[] {
  const object = schema && unwrapped(schema);
  return object instanceof z.ZodMiniObject ? Object.keys(object.def.shape) : [];
}
