import { isObject, listSchemaVariants, type Schema } from '../../base/json.js';
import { boundName } from '../bounded-text.js';
import type { ParameterUse } from './tool-usage.js';

/** Levels of nesting; deeper members count with the parameter that holds them. */
const maxDepth = 4;
const maxParameters = 300;
const maxValues = 100;
/** Items of a list that are looked at in one call. */
const maxItems = 1000;

interface Parameter {
  required: boolean;
  calls: number;
  /** How often each value was given; null if any value is possible. */
  values: Map<string, number> | null;
  members: Map<string, Parameter>;
  items: Parameter | null;
  /** Schemas that were seen: those that refer to each other would be walked on every path. */
  described: Set<Schema>;
}

/** Counts which parameters of a tool were given, and which of their values. */
export class ParameterCoverage {
  readonly #root = makeParameter(false);
  #count = 0;

  /** Adds an input schema, or another version of it: the parameters of all versions count. */
  addSchema(schema: Schema): void {
    this.#describe(this.#root, schema, schema, 0);
  }

  addCall(args: unknown): void {
    countUse(this.#root, args, new Set());
  }

  get parameters(): ParameterUse[] {
    return listParameters(this.#root, '').slice(1);
  }

  #describe(parameter: Parameter, schema: unknown, root: Schema, depth: number): void {
    for (const variant of listSchemaVariants(schema, root)) {
      if (parameter.described.has(variant)) continue;
      parameter.described.add(variant);
      addValues(parameter, variant);
      if (depth === maxDepth) continue;
      const { properties, required, items } = variant;
      const needed = new Set(Array.isArray(required) ? required : []);
      for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) {
        const known = parameter.members.get(name) ?? this.#added(needed.has(name));
        if (!known) return;
        parameter.members.set(name, known);
        this.#describe(known, member, root, depth + 1);
      }
      if (isObject(items)) {
        parameter.items ??= makeParameter(false);
        this.#describe(parameter.items, items, root, depth + 1);
      }
    }
  }

  #added(required: boolean): Parameter | undefined {
    if (this.#count === maxParameters) return undefined;
    this.#count += 1;
    return makeParameter(required);
  }
}

function makeParameter(required: boolean): Parameter {
  return {
    required,
    calls: 0,
    values: null,
    members: new Map(),
    items: null,
    described: new Set(),
  };
}

function addValues(parameter: Parameter, { enum: list, const: only, type }: Schema): void {
  const values = Array.isArray(list) ? list : only === undefined ? [] : [only];
  const types = Array.isArray(type) ? type : [type];
  // Whether it is left out or null makes no difference to most servers.
  const named = values.filter((value) => value !== null && typeof value !== 'object');
  for (const value of types.includes('boolean') ? [...named, true, false] : named) {
    parameter.values ??= new Map();
    if (parameter.values.size === maxValues) return;
    parameter.values.set(boundName(String(value)), 0);
  }
}

/** Counts a parameter once for each call, however often a list has it. */
function countUse(parameter: Parameter, value: unknown, seen: Set<Parameter>): void {
  if (!seen.has(parameter)) parameter.calls += 1;
  seen.add(parameter);
  if (Array.isArray(value)) {
    if (!parameter.items) return;
    for (const item of value.slice(0, maxItems)) countUse(parameter.items, item, seen);
  } else if (isObject(value)) {
    for (const [name, member] of parameter.members) {
      if (Object.hasOwn(value, name) && value[name] !== null) countUse(member, value[name], seen);
    }
  } else if (parameter.values) {
    const text = boundName(String(value));
    const times = parameter.values.get(text);
    if (times !== undefined) parameter.values.set(text, times + 1);
  }
}

function listParameters(parameter: Parameter, path: string): ParameterUse[] {
  const { required, calls, values, members, items } = parameter;
  const uses = values && [...values].map(([value, times]) => ({ value, calls: times }));
  const self: ParameterUse = { name: path, required, calls, values: uses };
  const below = [...members].flatMap(([name, member]) =>
    listParameters(member, path === '' ? boundName(name) : `${path}.${boundName(name)}`),
  );
  if (!items) return [self, ...below];
  const [itemUse, ...inItems] = listParameters(items, `${path}[]`);
  // Items are worth a line of their own only if something can be said of them.
  return [self, ...below, ...(itemUse?.values ? [itemUse] : []), ...inItems];
}
