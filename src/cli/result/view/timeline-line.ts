import type { Style } from '../../style.js';
import { displayWidth } from '../../terminal-text.js';
import { type FoldOptions, foldedText } from './folded-text.js';
import type { Look } from './look.js';

type Format = Parameters<Style>[0];

/** Before the text of an entry: when it began, and what it is. */
const timeWidth = 7;
const labelWidth = 7;
const indent = ' '.repeat(timeWidth + labelWidth + 2);

/** A line of a timeline. The text is already harmless, and may be styled. */
export function timelineLine(
  { startMs = null, label = '' }: { startMs?: number | null; label?: string },
  text: string,
  { style }: Look,
  format: Format = 'dim',
): string {
  const time = startMs === null ? '' : relativeTime(startMs);
  const shown = label + ' '.repeat(Math.max(labelWidth - displayWidth(label), 0));
  return `${style('dim', time.padStart(timeWidth))} ${style(format, shown)} ${text}`.trimEnd();
}

/** Columns that the text of an entry has. */
export function textWidth({ width, maxLineLength }: Look): number {
  return maxLineLength ?? width - indent.length;
}

export interface Quote extends Omit<Partial<FoldOptions>, 'width'> {
  format?: Format;
  /** Before every line, such as `| ` for words of somebody else. */
  mark?: string;
}

/** Text from outside under an entry, folded. */
export function quotedLines(text: string, look: Look, quote: Quote = {}): string[] {
  const { format, mark = '', maxLines = look.maxLines, keep } = quote;
  const width = textWidth(look) - mark.length;
  const lines = foldedText(text, { width, maxLines, ...(keep && { keep }) });
  return lines.map((line) => {
    const shown = format === undefined || line === '' ? line : look.style(format, line);
    return `${indent}${look.style('dim', mark)}${shown}`.trimEnd();
  });
}

/** Text from outside that begins on the line of its label. */
export function labelledLines(
  label: string,
  text: string,
  look: Look,
  quote: Quote = {},
): string[] {
  const [first, ...rest] = quotedLines(text, look, quote);
  if (first === undefined) return [];
  return [timelineLine({ label }, first.slice(indent.length), look), ...rest];
}

/** `12.3s`, `2m03s`: short, as it stands before every line. */
function relativeTime(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m${String(whole % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
