/**
 * A copy of a value with every string in it resolved; keys stay as they are. Values come from files
 * that we have read, where nesting is bounded.
 */
export function resolvedStrings<Value>(value: Value, resolve: (text: string) => string): Value {
  return resolved(value, resolve) as Value;
}

function resolved(value: unknown, resolve: (text: string) => string): unknown {
  if (typeof value === 'string') return resolve(value);
  if (Array.isArray(value)) return value.map((item) => resolved(item, resolve));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolved(item, resolve)]),
  );
}
