import { visitElements, visitMembers } from '../base/json-text.js';
import { isMap } from '../config/kind.js';
import { jsonType } from './expectations-shown.js';

/**
 * Whether a value in valid JSON is the expected one: the order of keys does not matter, that of a
 * list does, and a large number has to be the same in every digit. It goes as deep as what is
 * expected, which a file has bounded, and never deeper into what somebody sent.
 */
export function equalsJson(expected: unknown, json: string): boolean {
  if (typeof expected === 'number') return jsonType(json) === 'number' && isNumber(expected, json);
  if (Array.isArray(expected)) return jsonType(json) === 'array' && isList(expected, json);
  if (isMap(expected)) return jsonType(json) === 'object' && isSameMap(expected, json);
  if (typeof expected === 'string') return json.startsWith('"') && JSON.parse(json) === expected;
  return json === String(expected);
}

function isList(expected: readonly unknown[], json: string): boolean {
  let length = 0;
  let areEqual = true;
  visitElements(json, (start, end) => {
    const item = expected[length++];
    areEqual = length <= expected.length && equalsJson(item, json.slice(start, end));
    return areEqual;
  });
  return areEqual && length === expected.length;
}

/** Of a key that is there twice the last one counts, as for everybody who parses it. */
function isSameMap(expected: Readonly<Record<string, unknown>>, json: string): boolean {
  const values = new Map<string, string>();
  let hasOther = false;
  visitMembers(json, (key, start, end) => {
    if (Object.hasOwn(expected, key)) values.set(key, json.slice(start, end));
    else hasOther = true;
  });
  if (hasOther) return false;
  return Object.entries(expected).every(([key, value]) => {
    const found = values.get(key);
    return found !== undefined && equalsJson(value, found);
  });
}

/** A fraction is what a double makes of it; a whole number is compared digit by digit. */
function isNumber(expected: number, json: string): boolean {
  if (Number(json) !== expected) return false;
  return !Number.isInteger(expected) || digitsOf(json) === digitsOf(String(expected));
}

/** The significant digits of a number: the same for 1200, 1.2e3 and 1200.0. */
function digitsOf(number: string): string {
  const [mantissa = ''] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  return `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
}
