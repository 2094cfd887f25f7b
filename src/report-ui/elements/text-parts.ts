/** The beginning of a text, in pieces of about this size that end with a line where there is one. */
export function textParts(text: string, end: number, size = 20_000): string[] {
  const parts: string[] = [];
  const last = Math.min(end, text.length);
  for (let start = 0; start < last; ) {
    const stop = Math.min(start + size, last);
    const lineEnd = stop < text.length ? text.lastIndexOf('\n', stop - 1) + 1 : stop;
    const next = lineEnd > start ? lineEnd : withoutHalfPair(text, stop);
    parts.push(text.slice(start, next));
    start = next;
  }
  return parts;
}

/** One further when it would tear a surrogate pair. */
function withoutHalfPair(text: string, end: number): number {
  const before = text.charCodeAt(end - 1);
  const after = text.charCodeAt(end);
  const torn = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return torn ? end + 1 : end;
}
