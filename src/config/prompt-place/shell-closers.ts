/**
 * Where the last of the closers is passed, or the end of the text, for a stretch of shell whose
 * opener is behind us. The closers are a stack, in place of a recursion that could run too deep.
 */
export function closingOf(
  text: string,
  start: number,
  closers: string[],
  inQuotes: boolean,
): number {
  let quotes = inQuotes ? 1 : 0;
  for (let end = start; end < text.length; end++) {
    const letter = text.charAt(end);
    const closer = closers.at(-1);
    const next = text[end + 1];
    if (letter === '\\') {
      end++;
    } else if (letter === closer) {
      if (letter === '"') quotes--;
      closers.pop();
      if (closers.length === 0) return end + 1;
    } else if (closer === "'" || closer === '`') {
      // Nothing but the closer ends these.
    } else if (letter === '$' && (next === '(' || next === '{')) {
      closers.push(next === '(' ? ')' : '}');
      end++;
    } else if (letter === '`') {
      closers.push(letter);
    } else if (closer === '"') {
      // Of the rest, quotes only give themselves.
    } else if (letter === '"') {
      quotes++;
      closers.push(letter);
    } else if (letter === "'" && !(quotes > 0 && closer === '}')) {
      const close = text.indexOf("'", end + 1);
      end = close === -1 ? text.length : close;
    } else if ((letter === '(' && closer === ')') || (letter === '[' && closer === ']')) {
      closers.push(closer);
    }
  }
  return text.length;
}
