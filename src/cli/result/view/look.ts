import { chooseFigures, type Figures } from '../../check/live/terminal-line.js';
import type { CommandIo } from '../../io.js';
import { type Style, styleFor } from '../../style.js';

/** How stories look. */
export interface Look {
  style: Style;
  signs: Figures;
  /** Columns of the terminal. */
  width: number;
  /** Of a text: arguments, results, messages. */
  maxLines: number;
  /** Of a task run. */
  maxEvents: number;
  /** Characters of a line of text. Undefined: as many as fit. */
  maxLineLength: number | undefined;
  /** False: only what it comes to, without what happened. */
  hasTimeline: boolean;
}

const usualWidth = 80;
/** Columns: narrower than this, nothing can be read anyway. */
const leastWidth = 40;
/** Longer lines of text are hard to read. */
const mostWidth = 160;

export function lookFor(
  { stdout, environment }: CommandIo,
  limits: Pick<Look, 'maxLines' | 'maxEvents' | 'maxLineLength' | 'hasTimeline'>,
): Look {
  const width = stdout.size?.()?.columns ?? usualWidth;
  return {
    style: styleFor(stdout, environment),
    signs: chooseFigures(environment),
    width: Math.min(Math.max(width, leastWidth), mostWidth),
    ...limits,
  };
}
