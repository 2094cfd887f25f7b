import { plural } from '../../../base/text.js';
import { terminalLine } from '../../terminal-text.js';
import { wrapLine } from '../../wrapped-text.js';

export interface FoldOptions {
  /** Columns of a line. */
  width: number;
  maxLines: number;
  /** Which end people want to see: of a log that is the last lines. */
  keep?: 'beginning' | 'end';
}

/** The beginning or the end of a text from outside, in lines that fit, with what was left out. */
export function foldedText(text: string, options: FoldOptions): string[] {
  const { keep = 'beginning', maxLines, width } = options;
  const trimmed = text.replace(/^\s*\n/, '').trimEnd();
  if (trimmed === '') return [];
  const all = trimmed.split('\n');
  // One more than may be shown: instead of it, it would only say that there is one more.
  const most = maxLines + 1;
  const chosen = keep === 'end' ? all.slice(-most) : all.slice(0, most);
  const longest = most * width * 2;
  const partOf = (line: string) => (keep === 'end' ? line.slice(-longest) : line.slice(0, longest));
  const rows = chosen.map((line) => wrapLine(harmlessLine(partOf(line)), width));
  const wrapped = rows.flat();
  const isCut = all.length > chosen.length || chosen.some((line) => line.length > longest);
  if (!isCut && wrapped.length <= most) return wrapped;
  const shown = keep === 'end' ? wrapped.slice(-maxLines) : wrapped.slice(0, maxLines);
  while (shown.at(-1)?.trim() === '') shown.pop();
  const told = linesWithin(keep === 'end' ? rows.reverse() : rows, maxLines);
  const note = all.length > most ? linesNote(all.length - told) : charactersNote(trimmed, shown);
  return keep === 'end' ? [note, ...shown] : [...shown, note];
}

/** How many lines have a place, if only in part, in so many rows. */
function linesWithin(rows: readonly (readonly string[])[], most: number): number {
  let taken = 0;
  const beyond = rows.findIndex((row) => {
    taken += row.length;
    return taken >= most;
  });
  return beyond === -1 ? rows.length : beyond + 1;
}

function linesNote(lines: number): string {
  return `… ${plural(lines, 'more line')}`;
}

function charactersNote(text: string, shown: readonly string[]): string {
  const length = shown.reduce((sum, line) => sum + line.length, 0);
  return `… ${plural(Math.max(text.length - length, 1), 'more character')}`;
}

/** Without invisible characters: terminals do not agree on how wide they are. */
export function harmlessLine(line: string): string {
  return terminalLine(line.replace(/\r$/, '')).replace(
    /[\p{Cf}\p{Variation_Selector}\u2028\u2029]/gu,
    '',
  );
}
