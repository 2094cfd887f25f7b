import * as z from 'zod/mini';

/** What the JSON Schema and the reference say of a schema beside its description. */
interface Meta {
  /** Makes a definition of its own in the JSON Schema. */
  id?: string;
  examples?: unknown[];
  default?: unknown;
  pattern?: string;
}

/**
 * Describes a schema for JSON Schema and the reference. In place: a clone of every field, which
 * zod's own methods would make, is what starting up would spend most of its time on.
 */
export function addDescription<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  meta: Meta = {},
): Schema {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), description, ...meta });
  return schema;
}

/** A field that may be left out. */
export function optional<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  meta: Meta = {},
): z.ZodMiniOptional<Schema> {
  return addDescription(z.optional(schema), description, meta);
}

export const text = () => z.string();
export const textMap = () => z.record(z.string(), z.string());
/** Any JSON value: what it means is up to its receiver. */
export const anything = () => z.unknown();
export const anyMap = () => z.record(z.string(), z.unknown());
export const count = () => z.int().check(z.minimum(0));
export const positiveCount = () => z.int().check(z.minimum(1));
