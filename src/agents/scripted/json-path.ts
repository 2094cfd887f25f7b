import { arrayElements, topLevelMembers } from '../../events/json-members.js';

const segment = /\.([^.[\]]+)|\[(\d+)\]/gy;

/** The keys and indexes of a path such as `.items[0].id`; undefined if it is no path. */
function parsePath(path: string): (string | number)[] | undefined {
  const parts: (string | number)[] = [];
  segment.lastIndex = 0;
  while (segment.lastIndex < path.length) {
    const match = segment.exec(path);
    if (match === null) return undefined;
    const [, key, index] = match;
    parts.push(key ?? Number(index));
  }
  return parts;
}

/**
 * The value at a path in a valid JSON text, as it stands there: a large number stays as it is, and it
 * does not matter how deep the value goes.
 */
export function jsonAt(json: string, path: string): string | undefined {
  let value = json.trim();
  for (const part of parsePath(path) ?? [undefined]) {
    const found = part === undefined ? undefined : partOf(value, part);
    if (found === undefined) return undefined;
    value = value.slice(found.start, found.end);
  }
  return value;
}

function partOf(json: string, part: string | number) {
  return typeof part === 'number'
    ? arrayElements(json)[part]
    : topLevelMembers(json).findLast(({ key }) => key === part);
}
