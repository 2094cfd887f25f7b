import { isMap } from './kind.js';

/** A JSON Schema, as far as anybody knows. */
export type Schema = Readonly<Record<string, unknown>>;

/** Alternatives of alternatives without end are not looked through. */
const maxVariants = 50;

/**
 * The schemas that together say what a value can be: the schema itself, what it refers to, and its
 * alternatives (`string | null` is one with two).
 */
export function variantsOf(schema: unknown, root: Schema): Schema[] {
  const variants: Schema[] = [];
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const next = waiting.shift();
    if (!isMap(next) || variants.includes(next)) continue;
    if (variants.length === maxVariants) break;
    variants.push(next);
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const list = next[key];
      if (Array.isArray(list)) waiting.push(...list.slice(0, maxVariants));
    }
    if (typeof next.$ref === 'string') waiting.push(referred(next.$ref, root));
  }
  return variants;
}

/** Only places within the schema: nothing is fetched. */
function referred(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isMap(place) || !Object.hasOwn(place, key)) return undefined;
    place = place[key];
  }
  return place;
}
