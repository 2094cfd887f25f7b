import type { ErrorObject } from 'ajv';
import { stringifyBounded } from '../base/json.js';
import { truncate } from '../base/text.js';

/** In characters. */
const maxLength = 500;
const maxValuesLength = 300;

/** What a validator found, in plain words: `metadata.name: must be string`. */
export function flawOf({ instancePath, keyword, params, message }: ErrorObject): string {
  const place = instancePath.split('/').slice(1).map(unescaped);
  const surplus = params.additionalProperty ?? params.unevaluatedProperty;
  if (keyword === 'required') return at([...place, String(params.missingProperty)], 'is missing');
  if (typeof surplus === 'string') return at([...place, surplus], 'is not a known argument');
  return at(place, expected(keyword, params) ?? message ?? `does not satisfy ${keyword}`);
}

function expected(keyword: string, params: Record<string, unknown>): string | undefined {
  const values = keyword === 'enum' ? params.allowedValues : params.allowedValue;
  if (keyword === 'const')
    return `must be ${stringifyBounded(values, maxValuesLength) ?? 'one certain value'}`;
  if (keyword !== 'enum') return undefined;
  const list = stringifyBounded(values, maxValuesLength);
  return list === undefined
    ? 'must be one of certain values'
    : `must be one of ${list.slice(1, -1)}`;
}

function at(place: readonly string[], flaw: string): string {
  const path = place
    .map((key, index) => (/^\d+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('');
  return truncate(path === '' ? flaw : `${path}: ${flaw}`, maxLength);
}

/** A key in a JSON pointer. */
function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
