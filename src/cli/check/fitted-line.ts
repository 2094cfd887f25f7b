import type { Style } from '../terminal/output.js';
import { displayWidth, terminalLine } from '../terminal/text.js';

/** A part of a line; the text is already harmless for a terminal. */
export interface Part {
  text: string;
  format?: Parameters<Style>[0];
}

/** The parts as one line that is at most so many columns wide. */
export function fittedLine(parts: readonly Part[], columns: number, cut: string, style: Style) {
  let left = columns;
  let line = '';
  for (const { text, format } of parts) {
    const shown = cutToWidth(text, left, cut);
    left -= displayWidth(shown);
    line += format === undefined || shown === '' ? shown : style(format, shown);
    if (shown !== text) break;
  }
  return line;
}

/** No terminal is wider; marks without a width would not be cut otherwise. */
const maxLength = 1000;

/**
 * Text from outside for a line whose width counts. Invisible characters are left out, as are the
 * marks that make a sign an emoji: terminals do not agree on how wide they are.
 */
export function measurableLine(text: string): string {
  return terminalLine(text.slice(0, maxLength)).replace(
    /[\p{Cf}\p{Variation_Selector}\u2028\u2029]/gu,
    '',
  );
}

export function cutToWidth(text: string, columns: number, cut: string): string {
  if (columns <= 0) return '';
  let width = 0;
  let shown = '';
  for (const character of text) {
    const next = width + displayWidth(character);
    if (next > columns) return `${withoutLast(shown, columns)}${cut}`;
    width = next;
    shown += character;
  }
  return shown;
}

/** Makes room for the sign that something was cut. */
function withoutLast(text: string, columns: number): string {
  const characters = [...text];
  while (displayWidth(characters.join('')) > columns - 1) characters.pop();
  return characters.join('');
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - displayWidth(text), 0));
}
