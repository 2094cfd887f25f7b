import type { Scalar } from 'yaml';

/**
 * Where in the source the character at an offset of a scalar's value stands, so that a problem
 * inside a pattern or a template is marked to the character. Undefined where quoting and folding
 * make it a guess.
 */
export function scalarSourceOffset(
  text: string,
  scalar: Scalar,
  offset: number,
): number | undefined {
  const range = scalar.range;
  if (!range || typeof scalar.value !== 'string') return undefined;
  const source = text.slice(range[0], range[1]);
  const within = offsetWithin(source, scalar.type, scalar.value, offset);
  return within === undefined ? undefined : range[0] + within;
}

function offsetWithin(
  source: string,
  type: Scalar['type'],
  value: string,
  offset: number,
): number | undefined {
  switch (type) {
    case 'PLAIN':
      return source.includes('\n') ? undefined : offset;
    case 'QUOTE_SINGLE':
      return source.includes('\n') ? undefined : singleQuotedOffset(source, offset);
    case 'QUOTE_DOUBLE':
      return source.includes('\n') ? undefined : doubleQuotedOffset(source, offset);
    case 'BLOCK_LITERAL':
      return literalOffset(source, value, offset);
    default:
      return undefined;
  }
}

function singleQuotedOffset(source: string, offset: number): number {
  let index = 1;
  for (let seen = 0; seen < offset && index < source.length; seen++) {
    index += source.startsWith("''", index) ? 2 : 1;
  }
  return index;
}

/** Length in the source and in the value of each escape that has digits. */
const longEscapes: Record<string, number> = { x: 4, u: 6, U: 10 };

function doubleQuotedOffset(source: string, offset: number): number {
  let index = 1;
  for (let seen = 0; seen < offset && index < source.length; ) {
    if (source[index] !== '\\') {
      index++;
      seen++;
      continue;
    }
    const kind = source[index + 1] ?? '';
    const length = longEscapes[kind] ?? 2;
    const astral =
      kind === 'U' && Number.parseInt(source.slice(index + 2, index + 10), 16) > 0xffff;
    index += length;
    seen += astral ? 2 : 1;
  }
  return index;
}

/** A literal block keeps its lines: count them, and add the indentation back. */
function literalOffset(source: string, value: string, offset: number): number {
  let sourceLine = source.indexOf('\n') + 1;
  // The block's own indentation is what the value's first line lacks; an indicator may leave more.
  const indent = firstIndent(source.slice(sourceLine)) - firstIndent(value);
  let valueLine = 0;
  for (
    let end = value.indexOf('\n');
    end !== -1 && end < offset;
    end = value.indexOf('\n', end + 1)
  ) {
    valueLine = end + 1;
    sourceLine = source.indexOf('\n', sourceLine) + 1;
  }
  return sourceLine + indent + offset - valueLine;
}

/** Spaces before the first line that holds something. */
function firstIndent(text: string): number {
  return /^( *)\S/m.exec(text)?.[1]?.length ?? 0;
}
