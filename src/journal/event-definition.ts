import * as z from 'zod/mini';
import { RawJson } from '../base/json-text.js';
import { addDescription } from '../base/schema-fields.js';

/**
 * A type of event, in one place: its TypeScript type, what is checked when a journal is read, which members
 * are kept as raw JSON, and its section of the reference page all come from here. The shape is a function, so that
 * programs that only name an event build no schema.
 */
export interface EventDefinition {
  type: string;
  description: string;
  shape: () => Shape;
}

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** The event that a definition describes; of several definitions, one of their events. */
export type EventFrom<Definition extends EventDefinition> = Definition extends EventDefinition
  ? { type: Definition['type'] } & z.infer<
      z.ZodMiniObject<ReturnType<Definition['shape']>, z.core.$strip>
    >
  : never;

/**
 * What a reader of journals does if a member is invalid. `lose-event`: the event cannot be used; an optional
 * member may be missing, but must not be there and invalid. `leave-out-member`: the event is used without it.
 * `fallback` takes its place. `as`: the member is checked with another schema than its own. A member without any
 * of these is not checked: only what folds over events rely on is, as results and their task runs have schemas
 * of their own.
 */
type IfInvalid = 'lose-event' | 'leave-out-member' | { fallback: unknown } | { as: z.ZodMiniType };

const policies = new WeakMap<z.core.$ZodType, IfInvalid>();

/** Defines a member of an event, with its text in the reference. */
export function field<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  ifInvalid?: IfInvalid,
): Schema {
  if (ifInvalid !== undefined) policies.set(schema, ifInvalid);
  return addDescription(schema, description);
}

const rawSchemas = new WeakSet<z.core.$ZodType>();

/** Schema for JSON that servers or agents wrote: it is kept as the text that came over the wire. */
export function rawJson(): z.ZodMiniType<RawJson> {
  const schema = z.instanceof(RawJson);
  rawSchemas.add(schema);
  return schema;
}

/** How events of a type are read. */
export interface EventReading {
  /** Undefined: nothing is checked, which is faster for frequent events such as messages. */
  schema: z.ZodMiniType | undefined;
  /** What takes the place of members that have to be there and cannot be used. */
  fallbacks: Readonly<Record<string, unknown>>;
  /** Members that are kept as raw JSON. */
  raw: ReadonlySet<string>;
}

/** Derives from a definition how its events are read. */
export function deriveReading({ shape }: EventDefinition): EventReading {
  const members: Record<string, z.core.$ZodType> = {};
  const fallbacks: Record<string, unknown> = {};
  const raw = new Set<string>();
  for (const [key, schema] of Object.entries(shape())) {
    if (rawSchemas.has(unwrapOptional(schema))) raw.add(key);
    const ifInvalid = policies.get(schema);
    if (ifInvalid === undefined) continue;
    if (ifInvalid === 'lose-event') members[key] = forbidRepair(schema);
    else if (ifInvalid === 'leave-out-member') members[key] = z.optional(schema);
    else if ('as' in ifInvalid) members[key] = ifInvalid.as;
    else {
      members[key] = schema;
      fallbacks[key] = ifInvalid.fallback;
    }
  }
  const isChecked = Object.keys(members).length > 0;
  return { schema: isChecked ? z.object(members) : undefined, fallbacks, raw };
}

function unwrapOptional(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
}

/**
 * Makes an invalid optional or nullable member lose its event: repairing would leave it out, or set it to null. A
 * union is never repaired.
 */
function forbidRepair(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodMiniOptional) {
    return z.union([schema.def.innerType, z.undefined()]);
  }
  return schema instanceof z.ZodMiniNullable ? z.union([schema.def.innerType, z.null()]) : schema;
}
