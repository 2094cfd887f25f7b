import * as z from 'zod/mini';
import { findChildSchema, findSchemaAt, unwrapSchema } from '../schemas/schema-rules.js';
import type { DataPath } from '../yaml/source-file.js';

/** Stands in for a required text that is missing, so that the rest of a file can be checked. */
export const unnamed = '(unnamed)';

/**
 * A copy of a value without the parts at the given paths, still of the schema's type: an optional
 * key is dropped, a required one is replaced by something neutral, and where neither works the part
 * that encloses it goes. List items keep their places, so that paths into the file stay right.
 */
export function repairValue(
  schema: z.ZodMiniType,
  value: unknown,
  faulty: readonly DataPath[],
): unknown {
  if (faulty.length === 0) return value;
  const copy = new EditedCopy(value);
  for (const path of faulty) {
    if (path.length === 0 || !removePart(schema, copy, path)) return undefined;
  }
  return copy.value;
}

function removePart(schema: z.ZodMiniType, copy: EditedCopy, path: DataPath): boolean {
  for (let length = path.length; length > 0; length--) {
    const parentPath = path.slice(0, length - 1);
    const segment = path[length - 1] ?? '';
    const parentSchema = findSchemaAt(schema, parentPath);
    if (!parentSchema) continue;
    const child = findChildSchema(parentSchema, segment);
    const isDropped = typeof segment === 'string' && isDroppable(parentSchema, child);
    const neutral = isDropped ? undefined : child && makeNeutralValue(child);
    if (!isDropped && neutral === undefined) continue;
    copy.set([...parentPath, segment], neutral);
    return true;
  }
  return false;
}

function isDroppable(parent: z.core.$ZodType, child: z.core.$ZodType | undefined): boolean {
  const isRecord = unwrapSchema(parent) instanceof z.ZodMiniRecord;
  return child === undefined || isRecord || child instanceof z.ZodMiniOptional;
}

/** The least that has the type of a schema; what it says is reported as missing already. */
function makeNeutralValue(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodMiniString) return unnamed;
  if (schema instanceof z.ZodMiniArray) return [];
  if (schema instanceof z.ZodMiniRecord) return {};
  if (schema instanceof z.ZodMiniEnum) return schema.options[0];
  if (!(schema instanceof z.ZodMiniObject)) return undefined;
  const shape: Record<string, z.core.$ZodType> = schema.def.shape;
  const required = Object.entries(shape).filter(
    ([, child]) => !(child instanceof z.ZodMiniOptional),
  );
  const values = required.map(([key, child]) => [key, makeNeutralValue(child)] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

/** A copy with changes. Each container is copied once, however many changes it sees. */
export class EditedCopy {
  value: unknown;
  readonly #own = new Set<unknown>();

  constructor(value: unknown) {
    this.value = value;
  }

  /** An undefined value removes the key; a path that leads nowhere changes nothing. */
  set(path: DataPath, replacement: unknown): void {
    const root: Record<PropertyKey, unknown> = { value: this.value };
    let container = root;
    let key: string | number = 'value';
    for (const segment of path) {
      const child = this.#owned(container[key]);
      if (!child) return;
      container[key] = child;
      container = child;
      key = segment;
    }
    if (replacement !== undefined) container[key] = replacement;
    else delete container[key];
    this.value = root.value;
  }

  #owned(value: unknown): Record<PropertyKey, unknown> | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    if (this.#own.has(value)) return value as Record<PropertyKey, unknown>;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    return copy as unknown as Record<PropertyKey, unknown>;
  }
}
