/**
 * JSON of a value that was parsed from JSON, however deep it is nested: `JSON.stringify` gives up
 * some thousand levels down.
 */
export function stringifyDeepJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return stringifyWithStack(value);
  }
}

/** Something that is still to be written: a value, or text between values. */
type Waiting = { value: unknown } | { text: string };

function stringifyWithStack(whole: unknown): string {
  const pieces: string[] = [];
  const waiting: Waiting[] = [{ value: whole }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('text' in next) pieces.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) {
      pieces.push(JSON.stringify(next.value));
    } else waiting.push(...listParts(next.value).reverse());
  }
  return pieces.join('');
}

function listParts(value: object): Waiting[] {
  const isList = Array.isArray(value);
  const members = Object.entries(value).flatMap(([key, member], index): Waiting[] => {
    const comma = index === 0 ? '' : ',';
    return [{ text: isList ? comma : `${comma}${JSON.stringify(key)}:` }, { value: member }];
  });
  return [{ text: isList ? '[' : '{' }, ...members, { text: isList ? ']' : '}' }];
}
