export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values parsed from JSON are equal, without recursion: they may be nested to any depth. */
export function isSameJson(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (!isNested(one) || !isNested(other) || Array.isArray(one) !== Array.isArray(other)) {
      return false;
    }
    const keys = Object.keys(one);
    if (keys.length !== Object.keys(other).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      pending.push([one[key], other[key]]);
    }
  }
  return true;
}

/** The JSON of a value that was parsed from JSON, even if it is nested deeper than JSON.stringify can go. */
export function stringifyDeep(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return stringifyWithoutRecursion(value);
    throw error;
  }
}

/** What is still to be written: a value, or text as it is. */
type PendingJson = { value: unknown } | { text: string };

function stringifyWithoutRecursion(root: unknown): string {
  const texts: string[] = [];
  const pending: PendingJson[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) texts.push(next.text);
    else if (!isNested(next.value)) texts.push(JSON.stringify(next.value) ?? 'null');
    else for (const part of splitJson(next.value).reverse()) pending.push(part);
  }
  return texts.join('');
}

function splitJson(value: JsonObject): PendingJson[] {
  const isList = Array.isArray(value);
  const parts: PendingJson[] = [{ text: isList ? '[' : '{' }];
  for (const [index, [key, member]] of Object.entries(value).entries()) {
    if (index > 0) parts.push({ text: ',' });
    if (!isList) parts.push({ text: `${JSON.stringify(key)}:` });
    parts.push({ value: member });
  }
  parts.push({ text: isList ? ']' : '}' });
  return parts;
}

/** An object or an array. */
function isNested(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
