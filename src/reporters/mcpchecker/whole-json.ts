/** The JSON of a value that was JSON before, however deep it is nested. */
export function wholeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return withoutRecursion(value);
    throw error;
  }
}

/** What is still to be written: a value, or text as it is. */
type Pending = { value: unknown } | { text: string };

function withoutRecursion(root: unknown): string {
  const texts: string[] = [];
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) texts.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) {
      texts.push(JSON.stringify(next.value) ?? 'null');
    } else {
      for (const part of partsOf(next.value).reverse()) pending.push(part);
    }
  }
  return texts.join('');
}

function partsOf(value: object): Pending[] {
  const isList = Array.isArray(value);
  const parts: Pending[] = [{ text: isList ? '[' : '{' }];
  for (const [index, [key, member]] of Object.entries(value).entries()) {
    if (index > 0) parts.push({ text: ',' });
    if (!isList) parts.push({ text: `${JSON.stringify(key)}:` });
    parts.push({ value: member });
  }
  parts.push({ text: isList ? ']' : '}' });
  return parts;
}
