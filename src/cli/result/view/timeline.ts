import { plural } from '../../../base/text.js';
import type { Style } from '../../terminal/output.js';
import { displayWidth, terminalLine, wrapLine } from '../../terminal/text.js';
import type { Look } from './view-options.js';

type Format = Parameters<Style>[0];

/** Before the text of an entry: when it began, and what it is. */
const timeWidth = 7;
const labelWidth = 7;
const indent = ' '.repeat(timeWidth + labelWidth + 2);

/** A line of a timeline. The text is already harmless, and may be styled. */
export function renderTimelineLine(
  { startMs = null, label = '' }: { startMs?: number | null; label?: string },
  text: string,
  { style }: Look,
  format: Format = 'dim',
): string {
  const time = startMs === null ? '' : formatRelativeTime(startMs);
  const shown = label + ' '.repeat(Math.max(labelWidth - displayWidth(label), 0));
  return `${style('dim', time.padStart(timeWidth))} ${style(format, shown)} ${text}`.trimEnd();
}

/** Columns that the text of an entry has. */
export function getTextWidth({ width, maxLineLength }: Look): number {
  return maxLineLength ?? width - indent.length;
}

export interface Quote extends Omit<Partial<FoldOptions>, 'width'> {
  format?: Format;
  /** Put before every line, such as `| ` for quoted text. */
  mark?: string;
}

/** Text from outside under an entry, folded. */
export function renderQuoted(text: string, look: Look, quote: Quote = {}): string[] {
  const { format, mark = '', maxLines = look.maxLines, keep } = quote;
  const width = getTextWidth(look) - mark.length;
  const lines = foldText(text, { width, maxLines, ...(keep && { keep }) });
  return lines.map((line) => {
    const shown = format === undefined || line === '' ? line : look.style(format, line);
    return `${indent}${look.style('dim', mark)}${shown}`.trimEnd();
  });
}

/** Text from outside that begins on the line of its label. */
export function renderLabelled(
  label: string,
  text: string,
  look: Look,
  quote: Quote = {},
): string[] {
  const [first, ...rest] = renderQuoted(text, look, quote);
  if (first === undefined) return [];
  return [renderTimelineLine({ label }, first.slice(indent.length), look), ...rest];
}

/** `12.3s`, `2m03s`: short, as it stands before every line. */
function formatRelativeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m${String(whole % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}

interface FoldOptions {
  /** Columns of a line. */
  width: number;
  maxLines: number;
  /** Which end people want to see: of a log that is the last lines. */
  keep?: 'beginning' | 'end';
}

/** The beginning or the end of a text from outside, in lines that fit, with what was left out. */
export function foldText(text: string, options: FoldOptions): string[] {
  const { keep = 'beginning', maxLines, width } = options;
  const trimmed = text.replace(/^\s*\n/, '').trimEnd();
  if (trimmed === '') return [];
  const all = trimmed.split('\n');
  // One more than may be shown: instead of it, it would only say that there is one more.
  const most = maxLines + 1;
  const chosen = keep === 'end' ? all.slice(-most) : all.slice(0, most);
  const longest = most * width * 2;
  const partOf = (line: string) => (keep === 'end' ? line.slice(-longest) : line.slice(0, longest));
  const rows = chosen.map((line) => wrapLine(stripInvisible(partOf(line)), width));
  const wrapped = rows.flat();
  const isCut = all.length > chosen.length || chosen.some((line) => line.length > longest);
  if (!isCut && wrapped.length <= most) return wrapped;
  const shown = keep === 'end' ? wrapped.slice(-maxLines) : wrapped.slice(0, maxLines);
  while (shown.at(-1)?.trim() === '') shown.pop();
  const shownLines = countLinesWithin(keep === 'end' ? rows.reverse() : rows, maxLines);
  const note =
    all.length > most
      ? formatLinesNote(all.length - shownLines)
      : formatCharactersNote(trimmed, shown);
  return keep === 'end' ? [note, ...shown] : [...shown, note];
}

/** How many lines have a place, if only in part, in so many rows. */
function countLinesWithin(rows: readonly (readonly string[])[], most: number): number {
  let taken = 0;
  const beyond = rows.findIndex((row) => {
    taken += row.length;
    return taken >= most;
  });
  return beyond === -1 ? rows.length : beyond + 1;
}

function formatLinesNote(lines: number): string {
  return `… ${plural(lines, 'more line')}`;
}

function formatCharactersNote(text: string, shown: readonly string[]): string {
  const length = shown.reduce((sum, line) => sum + line.length, 0);
  return `… ${plural(Math.max(text.length - length, 1), 'more character')}`;
}

/** Without invisible characters: terminals do not agree on how wide they are. */
function stripInvisible(line: string): string {
  return terminalLine(line.replace(/\r$/, '')).replace(
    /[\p{Cf}\p{Variation_Selector}\u2028\u2029]/gu,
    '',
  );
}
