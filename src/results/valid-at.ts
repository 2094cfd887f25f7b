import * as z from 'zod/mini';
import { UnreadableResults } from './results-errors.js';

/** A value of a file, if it is what it should be; else throws, and names the member. */
export function validAt<Schema extends z.ZodMiniType>(
  path: string,
  place: string,
  schema: Schema,
  value: unknown,
): z.infer<Schema> {
  const { data, error } = z.safeParse(schema, value);
  if (!error) return data;
  const steps = error.issues[0]?.path.map((key) =>
    typeof key === 'number' ? `[${key}]` : `.${String(key)}`,
  );
  const where = `${place}${steps?.join('') ?? ''}`.replace(/^\./, '');
  throw UnreadableResults.damaged(path, `${where} is missing, or not what it should be`);
}

/** For a value that is kept as it is: a copy of zod's lacks keys such as `__proto__`. */
export function assertValidAt<Schema extends z.ZodMiniType>(
  path: string,
  place: string,
  schema: Schema,
  value: unknown,
): asserts value is z.infer<Schema> {
  validAt(path, place, schema, value);
}
