import { visitElements, visitMembers } from './json-members.js';

/**
 * The value that keys and indexes lead to in a valid JSON text, as it stands there: a large number
 * stays as it is, and it does not matter how deep the value goes.
 */
export function jsonPart(json: string, path: readonly (string | number)[]): string | undefined {
  let value: string | undefined = json.trim();
  for (const part of path) {
    if (value === undefined) return undefined;
    value = typeof part === 'number' ? elementOf(value, part) : memberOf(value, part);
  }
  return value;
}

function elementOf(json: string, index: number): string | undefined {
  let element: string | undefined;
  let passed = 0;
  visitElements(json, (start, end) => {
    if (passed++ === index) element = json.slice(start, end);
    return element === undefined;
  });
  return element;
}

/** Of a key that is there twice the last one counts, as for everybody who parses it. */
function memberOf(json: string, name: string): string | undefined {
  let member: string | undefined;
  visitMembers(json, (key, start, end) => {
    if (key === name) member = json.slice(start, end);
  });
  return member;
}
