import { formatShortDuration } from '../../../analysis/figure-text.js';
import type { CommandIo, Style } from '../../terminal/output.js';
import { displayWidth, terminalLine } from '../../terminal/text.js';
import { describeOutcome, formatUsage } from '../wording.js';
import type { FinishedTaskRun } from './finished-task-run.js';

/** A part of a line; the text is already harmless for a terminal. */
export interface Part {
  text: string;
  format?: Parameters<Style>[0];
}

/** The parts as one line that is at most so many columns wide. */
export function fitLine(parts: readonly Part[], columns: number, cut: string, style: Style) {
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
export function cleanLine(text: string): string {
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

/** The signs of a live display, each one column wide. */
export interface Figures {
  spinner: readonly string[];
  passed: string;
  failed: string;
  cancelled: string;
  barDone: string;
  barOpen: string;
  cut: string;
}

const unicode: Figures = {
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  passed: '✓',
  failed: '✗',
  cancelled: '-',
  barDone: '━',
  barOpen: '─',
  cut: '…',
};

const ascii: Figures = {
  spinner: ['|', '/', '-', '\\'],
  passed: '+',
  failed: 'x',
  cancelled: '-',
  barDone: '#',
  barOpen: '.',
  cut: '~',
};

export function chooseFigures({ LC_ALL, LC_CTYPE, LANG }: CommandIo['environment']): Figures {
  // As setlocale has it: the first one that is set decides.
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '') ? unicode : ascii;
}

interface LineStyle {
  columns: number;
  /** Of the column with the tasks' names. */
  nameWidth: number;
  style: Style;
  signs: Figures;
  control: boolean;
}

/** A task with the runs of it that are over, in one line. */
export function formatFinishedTask(
  runs: readonly FinishedTaskRun[],
  total: number,
  look: LineStyle,
): string {
  const { columns, nameWidth, style, signs, control } = look;
  const worst = runs.find(({ outcome }) => outcome !== 'passed') ?? runs[0];
  if (!worst) return '';
  const { format, sign, word } = describeOutcome(worst.outcome, control);
  const passed = runs.filter(({ outcome }) => outcome === 'passed').length;
  const time = runs.reduce((sum, { durationMs }) => sum + durationMs, 0) / runs.length;
  const why = worst.failure && !control ? worst.failure.category : word;
  return fitLine(
    [
      { text: `${signs[sign]} `, format },
      { text: padToWidth(cutToWidth(cleanLine(worst.task), nameWidth, signs.cut), nameWidth) },
      { text: `  ${passed}/${total}`, format },
      ...(worst.outcome === 'passed' && !control ? [] : [{ text: `  ${why}`, format }]),
      { text: `  ${formatShortDuration(time)}${runs.length > 1 ? ' each' : ''}`, format: 'dim' },
      { text: `  ${formatUsage(runs)}`, format: 'dim' },
    ],
    columns,
    signs.cut,
    style,
  );
}
