import type { Output } from './io.js';
import { displayWidth } from './terminal-text.js';

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
    .flatMap((line) => (isCommand(line) ? [line] : wrapLine(line, columns, hangingIndent(line))))
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
function hangingIndent(line: string): string {
  const plain = withoutStyle(line);
  const [quote] = /^ *\| /.exec(plain) ?? [];
  if (quote !== undefined) return quote;
  const [label = ''] = /^ *(?:- |\S.*? {2,})?/.exec(plain) ?? [];
  const [spaces = ''] = /^ */.exec(plain) ?? [];
  return ' '.repeat(displayWidth(label) <= widestLabel ? displayWidth(label) : spaces.length);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what style.ts puts around a text.
const styleCode = /\u001b\[\d+m/g;

export function withoutStyle(line: string): string {
  return line.replace(styleCode, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what style.ts puts around a text.
const styleCodeOrCharacter = /\u001b\[\d+m|./gsu;

/**
 * Breaks a line at spaces where there are some. Further lines begin with `indent`, which is by default what
 * the line itself is indented by. Style codes take no room.
 */
export function wrapLine(line: string, width: number, indent = indentOf(line, width)): string[] {
  const lines: string[] = [];
  let current = '';
  let columns = 0;
  let space: { index: number; column: number } | undefined;
  for (const { 0: character, index } of line.matchAll(styleCodeOrCharacter)) {
    const next = character.startsWith('\u001b') ? 0 : displayWidth(character);
    if (next > 0 && columns + next > width) {
      // A word is cut rather than moved if it would not fit on the next line either.
      const room = width - displayWidth(indent);
      const restOfWord = () => restOfWordWidth(line, index, room);
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
function restOfWordWidth(line: string, from: number, room: number): number {
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

function indentOf(line: string, width: number): string {
  const [indent = ''] = /^ */.exec(line.slice(0, Math.floor(width / 2))) ?? [];
  return indent;
}
