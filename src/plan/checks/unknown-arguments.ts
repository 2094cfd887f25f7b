import { isObject, listSchemaVariants, type Schema } from '../../base/json.js';
import { findNearest } from '../../base/nearest.js';
import type { DataPath } from '../../config/yaml/source-file.js';

/** An argument that the input schema of a tool does not list. */
export interface UnknownArgument {
  /** From the arguments on. */
  path: DataPath;
  name: string;
  /** The names that the schema lists at this place. */
  known: readonly string[];
  /** Whether the schema allows no other names: a call with this argument is invalid. */
  isForbidden: boolean;
  /** Whether it is nearly a name that the schema lists and that is not used beside it, and no plural of it. */
  isMisspelt: boolean;
}

/**
 * Finds the names in arguments that the input schema of a tool does not list, however deep. A place
 * where the schema lists no names at all, or takes names by a pattern, can hold anything.
 */
export function findUnknownArguments(args: unknown, schema: unknown): UnknownArgument[] {
  return isObject(schema) ? [...walkArguments(args, [schema], schema, [])] : [];
}

function* walkArguments(
  value: unknown,
  schemas: readonly unknown[],
  root: Schema,
  path: DataPath,
): Generator<UnknownArgument> {
  const variants = schemas.flatMap((schema) => listSchemaVariants(schema, root));
  if (Array.isArray(value)) {
    const items = variants.map((variant) => variant.items);
    for (const [index, item] of value.entries()) {
      yield* walkArguments(item, items, root, [...path, index]);
    }
    return;
  }
  if (!isObject(value)) return;
  const known = new Set(variants.flatMap(({ properties }) => Object.keys(asMap(properties))));
  const [only, ...others] = variants;
  const isForbidden = others.length === 0 && only?.additionalProperties === false;
  const isOpen = (known.size === 0 && !isForbidden) || variants.some(takesOtherNames);
  for (const [name, inner] of Object.entries(value)) {
    if (known.has(name)) {
      const inners = variants.map(({ properties }) => asMap(properties)[name]);
      yield* walkArguments(inner, inners, root, [...path, name]);
    } else if (!isOpen) {
      const unused = [...known].filter((listed) => !Object.hasOwn(value, listed));
      const isMisspelt = isLikelyMisspelt(name, unused);
      yield { path: [...path, name], name, known: [...known], isForbidden, isMisspelt };
    }
  }
}

/** Shorter names are near many others. */
const shortestMisspelt = 3;

/** Plurals do not count: `ids` in place of `id` may well mean another argument. */
function isLikelyMisspelt(name: string, known: readonly string[]): boolean {
  if (name.length < shortestMisspelt) return false;
  const others = known.filter((listed) => !isPluralOf(listed, name) && !isPluralOf(name, listed));
  return findNearest(name, others) !== undefined;
}

function isPluralOf(plural: string, singular: string): boolean {
  const word = singular.toLowerCase();
  const plurals = [
    `${word}s`,
    `${word}es`,
    ...(word.endsWith('y') ? [word.replace(/y$/, 'ies')] : []),
  ];
  return plurals.includes(plural.toLowerCase());
}

/** Whether a schema says something of names that it does not list. */
function takesOtherNames(schema: Schema): boolean {
  const { additionalProperties, patternProperties, $ref } = schema;
  if (patternProperties !== undefined) return true;
  // Which of these apply depends on the values of a call.
  if (conditions.some((key) => schema[key] !== undefined)) return true;
  if (typeof $ref === 'string' && !$ref.startsWith('#/')) return true;
  return additionalProperties === true || isObject(additionalProperties);
}

const conditions = ['if', 'dependentSchemas', 'dependencies', '$dynamicRef'];

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
