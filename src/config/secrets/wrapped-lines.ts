/** No program makes shorter lines of base64. */
const minLine = 32;

const isBase64 = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
  isBase64[character.charCodeAt(0)] = 1;
}

const [carriageReturn, backslash, letterR] = [13, 92, 114];

const lineBreakInJson = String.raw`\n`;
const signs = ['\n', lineBreakInJson];

/** A line break between two parts of what may be one text in base64. */
interface Wrap {
  start: number;
  end: number;
}

/** Texts in base64 that programs such as `base64` made lines of, without their line breaks. */
export interface Unwrapped {
  text: string;
  /** Where in the text that holds it a character stands. */
  placeOf(at: number): number;
}

/** Whether a line break in JSON, however deep it is escaped, stands within base64. */
export function isWrapInJson(json: string, at: number): boolean {
  return findWrapAt(json, at, lineBreakInJson) !== undefined;
}

/** What lines of base64 in a text are together, each no farther around them than `reach`. */
export function* findUnwrapped(text: string, reach: number): Generator<Unwrapped> {
  const wraps = signs
    .flatMap((sign) => [...findWraps(text, sign)])
    .sort((a, b) => a.start - b.start);
  let group: Wrap[] = [];
  for (const wrap of wraps) {
    const last = group.at(-1);
    if (last && wrap.start - last.end > reach) {
      yield unwrap(text, group, reach);
      group = [];
    }
    group.push(wrap);
  }
  if (group.length > 0) yield unwrap(text, group, reach);
}

function* findWraps(text: string, sign: string): Generator<Wrap> {
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    const wrap = findWrapAt(text, at, sign);
    if (wrap) yield wrap;
  }
}

function findWrapAt(text: string, at: number, sign: string): Wrap | undefined {
  const start = findLineEnd(text, at);
  for (let before = 1; before <= minLine; before++) {
    if (isBase64[text.charCodeAt(start - before)] !== 1) return undefined;
  }
  let end = at + sign.length;
  // YAML indents the lines.
  while (text[end] === ' ' || text[end] === '\t') end++;
  return isBase64[text.charCodeAt(end)] === 1 ? { start, end } : undefined;
}

/** Without more backslashes before the line break, and without a carriage return. */
function findLineEnd(text: string, at: number): number {
  let end = skipBackslashes(text, at);
  if (text.charCodeAt(end - 1) === carriageReturn) end--;
  else if (text.charCodeAt(end - 1) === letterR) {
    const before = skipBackslashes(text, end - 1);
    if (before < end - 1) end = before;
  }
  return end;
}

function skipBackslashes(text: string, at: number): number {
  let start = at;
  while (text.charCodeAt(start - 1) === backslash) start--;
  return start;
}

function unwrap(text: string, wraps: readonly Wrap[], reach: number): Unwrapped {
  const pieces: { start: number; text: string; at: number }[] = [];
  let start = Math.max(0, (wraps[0]?.start ?? 0) - reach);
  let length = 0;
  const addPiece = (end: number) => {
    pieces.push({ start, text: text.slice(start, end), at: length });
    length += end - start;
  };
  for (const wrap of wraps) {
    addPiece(wrap.start);
    start = wrap.end;
  }
  addPiece(Math.min(text.length, start + reach));
  return { text: pieces.map((piece) => piece.text).join(''), placeOf };

  function placeOf(at: number): number {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((pieces[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const piece = pieces[low];
    return (piece?.start ?? 0) + at - (piece?.at ?? 0);
  }
}
