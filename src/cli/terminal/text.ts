import type { Output } from './output.js';

/**
 * Text from a file, a server or an agent, made harmless for a terminal: control characters are
 * shown as symbols instead of being obeyed, and invisible direction marks are replaced.
 */
export function terminalText(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x7f) return '\u2421';
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });
}

/** Control characters but for the line feed, and the marks that change the direction of text. */
const unsafe = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line of text: line feeds are shown too. */
export function terminalLine(text: string): string {
  return terminalText(text.replaceAll('\t', '  ')).replaceAll('\n', '\u240a');
}

const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (zeroWidth.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}

/** Writes text for people. On a terminal, lines that do not fit are broken between words. */
export function printText(output: Output, text: string): void {
  output.write(wrapText(text, terminalColumns(output)));
}

/** How wide the terminal is; undefined where there is none, or it does not say. */
export function terminalColumns(output: Output): number | undefined {
  return output.isTerminal ? output.size?.()?.columns : undefined;
}

/** Columns: on a narrower terminal nothing can be read anyway. */
const narrowest = 40;

/** Breaks the lines of a text that are wider than the terminal. Undefined columns: none is. */
export function wrapText(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < narrowest) return text;
  const lines = text.split('\n');
  return lines
    .flatMap((line) =>
      isCommand(line) ? [line] : wrapLine(line, columns, findHangingIndent(line)),
    )
    .join('\n');
}

/** A command to paste stays one line: terminals copy it as such, however many rows it takes. */
function isCommand(line: string): boolean {
  return /^ *(?:npx |node )?(?:\S*[-/])?proctor(?:\.cjs)? [a-z]/.test(withoutStyle(line));
}

const widestLabel = 24;

/**
 * What further lines begin with: the bar of a quotation, or spaces up to the text after a bullet or a
 * label (`difference  -50 points`), or those that the line itself begins with.
 */
function findHangingIndent(line: string): string {
  const plain = withoutStyle(line);
  const [quote] = /^ *\| /.exec(plain) ?? [];
  if (quote !== undefined) return quote;
  const [label = ''] = /^ *(?:- |\S.*? {2,})?/.exec(plain) ?? [];
  const [spaces = ''] = /^ */.exec(plain) ?? [];
  return ' '.repeat(displayWidth(label) <= widestLabel ? displayWidth(label) : spaces.length);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a Style puts around a text.
const styleCode = /\u001b\[\d+m/g;

export function withoutStyle(line: string): string {
  return line.replace(styleCode, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a Style puts around a text.
const styleCodeOrCharacter = /\u001b\[\d+m|./gsu;

/**
 * Breaks a line at spaces where there are some. Further lines begin with `indent`, which is by default what
 * the line itself is indented by. Style codes take no room.
 */
export function wrapLine(line: string, width: number, indent = findIndent(line, width)): string[] {
  const lines: string[] = [];
  let current = '';
  let columns = 0;
  let space: { index: number; column: number } | undefined;
  for (const { 0: character, index } of line.matchAll(styleCodeOrCharacter)) {
    const next = character.startsWith('\u001b') ? 0 : displayWidth(character);
    if (next > 0 && columns + next > width) {
      // A word is cut rather than moved if it would not fit on the next line either.
      const room = width - displayWidth(indent);
      const restOfWord = () => measureRestOfWord(line, index, room);
      const isMoved =
        character !== ' ' && space && columns - space.column - 1 + restOfWord() <= room;
      const cut = isMoved && space ? space.index : current.length;
      lines.push(current.slice(0, cut).trimEnd());
      current = indent + current.slice(cut).trimStart();
      columns = displayWidth(withoutStyle(current));
      space = undefined;
      if (character === ' ') continue;
    }
    if (character === ' ') space = { index: current.length, column: columns };
    current += character;
    columns += next;
  }
  return [...lines, current];
}

/** How wide the word is from there on. One that is wider than the room is not looked at to its end. */
function measureRestOfWord(line: string, from: number, room: number): number {
  let columns = 0;
  styleCodeOrCharacter.lastIndex = from;
  for (
    let found = styleCodeOrCharacter.exec(line);
    found;
    found = styleCodeOrCharacter.exec(line)
  ) {
    const [character] = found;
    if (character === ' ' || columns > room) break;
    if (!character.startsWith('\u001b')) columns += displayWidth(character);
  }
  styleCodeOrCharacter.lastIndex = 0;
  return columns;
}

function findIndent(line: string, width: number): string {
  const [indent = ''] = /^ */.exec(line.slice(0, Math.floor(width / 2))) ?? [];
  return indent;
}

/** Text in a format for programs. On a terminal its control characters are shown, not obeyed. */
export function sanitizeForOutput(output: Output, text: string): string {
  return output.isTerminal ? terminalText(text.replaceAll('\r\n', '\n')) : text;
}
