import type * as z from 'zod/mini';
import type { ProblemCode } from '../problems/problem-codes.js';

/**
 * What a schema means beyond what zod can say of it. The rules live beside the schema they belong
 * to and serve validation, JSON Schema and the reference docs alike.
 */
export interface SchemaRules {
  /** Keys of which exactly one must be given. */
  exactlyOne?: readonly string[];
  /** Where something is given here, none of them has to be. */
  unless?: readonly [key: string, member: string];
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
  /** Left empty (null), the key that this stands under is an error instead of the same as none. */
  mustSaySomething?: boolean;
  /** An unknown key that is a near miss of this one is this problem. */
  nearMiss?: { key: string; code: ProblemCode };
}

const rules = new WeakMap<z.core.$ZodType, SchemaRules>();
const noRules: SchemaRules = {};

export function withRules<Schema extends z.ZodMiniType>(
  schema: Schema,
  added: SchemaRules,
): Schema {
  rules.set(schema, { ...rules.get(schema), ...added });
  return schema;
}

export function getRules(schema: z.core.$ZodType): SchemaRules {
  return rules.get(schema) ?? noRules;
}

/** The schema inside optional wrappers. */
export function unwrapSchema(schema: z.core.$ZodType): Known {
  let known = schema as Known;
  while (known._zod.def.type === 'optional') known = known._zod.def.innerType as Known;
  return known;
}

/** Any of the schemas we use; distinguished by `_zod.def.type`, much faster than by instanceof. */
type Known =
  | z.core.$ZodObject
  | z.core.$ZodArray
  | z.core.$ZodRecord
  | z.core.$ZodOptional
  | z.core.$ZodString;

/** The schema of the value under a key or index, if the schema knows it. */
export function findChildSchema(
  schema: z.core.$ZodType,
  segment: string | number,
): z.core.$ZodType | undefined {
  const { def } = unwrapSchema(schema)._zod;
  switch (def.type) {
    case 'object': {
      const { shape, catchall } = def;
      if (Object.hasOwn(shape, segment)) return shape[segment];
      return catchall?._zod.def.type === 'never' ? undefined : catchall;
    }
    case 'array':
      return def.element;
    case 'record':
      return def.valueType;
    default:
      return undefined;
  }
}

/** The schemas of everything that may stand directly in a value. */
export function listChildSchemas(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { def } = unwrapSchema(schema)._zod;
  switch (def.type) {
    case 'object':
      return Object.values(def.shape);
    case 'array':
      return [def.element];
    case 'record':
      return [def.valueType];
    default:
      return [];
  }
}

export function findSchemaAt(
  root: z.core.$ZodType,
  path: readonly (string | number)[],
): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = root;
  for (const segment of path) schema = schema && findChildSchema(schema, segment);
  return schema;
}

export function listKnownKeys(schema: z.core.$ZodType | undefined): string[] {
  const def = schema && unwrapSchema(schema)._zod.def;
  return def?.type === 'object' ? Object.keys(def.shape) : [];
}
