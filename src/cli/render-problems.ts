import { plural } from '../base/text.js';
import type { Problem, ProblemReport } from '../config/problems/problem.js';
import { maskSecrets } from '../config/secrets/token-shapes.js';
import type { Style } from './terminal/output.js';
import { displayWidth, terminalLine } from './terminal/text.js';

/** More problems are not printed as text; `-o json` has them all. */
const maxShown = 100;
const maxLineWidth = 160;

/** Problems as a compiler shows them: the place, what is wrong, and the lines with a marker. */
export function renderProblems({ problems, texts }: ProblemReport, style: Style): string {
  const lines = new LineLookup(texts);
  const blocks = problems
    .slice(0, maxShown)
    .map((problem) => renderProblem(problem, lines.of(problem.file), style));
  const more = problems.length - maxShown;
  if (more > 0) blocks.push(`... and ${more} more; -o json lists them\n`);
  return blocks.join('\n');
}

export function countProblems({ errors, warnings, truncated }: ProblemReport): string {
  const parts = [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ];
  const count = parts.length > 0 ? parts.join(', ') : 'no problems';
  return truncated ? `${count}, and more that are not listed` : count;
}

function renderProblem(problem: Problem, lines: readonly string[], style: Style): string {
  const { file, line, column, severity, code, message, hint } = problem;
  const color = severity === 'error' ? 'red' : 'yellow';
  const head = [
    style('bold', `${terminalLine(file)}:${line}:${column}`),
    style(color, severity),
    style('dim', `[${code}]`),
    terminalLine(message),
  ].join('  ');
  const block = [head, ...renderExcerpt(problem, lines, style), ...renderHint(hint, style)];
  return `${block.join('\n')}\n`;
}

function renderHint(hint: string | undefined, style: Style): string[] {
  return hint === undefined ? [] : [`    ${style('cyan', `hint: ${terminalLine(hint)}`)}`];
}

/** The line with the problem, the one before it, and a marker under the exact place. */
function renderExcerpt(problem: Problem, lines: readonly string[], style: Style): string[] {
  const marked = lines[problem.line - 1];
  if (marked === undefined || marked.trim() === '') return [];
  const width = String(problem.line).length;
  const gutter = (number: string) => style('dim', `  ${number.padStart(width)} | `);
  const numbers = [problem.line - 1, problem.line].filter((number) => lines[number - 1]?.trim());
  const shownLines = numbers.map(
    (number) => gutter(String(number)) + cutWindow(terminalLine(lines[number - 1] ?? ''), 0),
  );
  const { offset, text, marker } = renderMarkedLine(problem, marked);
  shownLines[shownLines.length - 1] = gutter(String(problem.line)) + text;
  const color = problem.severity === 'error' ? 'red' : 'yellow';
  return [...shownLines, gutter('') + ' '.repeat(offset) + style(color, marker)];
}

function renderMarkedLine({ line, column, endLine, endColumn }: Problem, source: string) {
  const before = terminalLine(source.slice(0, column - 1));
  const end = endLine === line ? endColumn - 1 : source.length;
  const within = terminalLine(source.slice(column - 1, end));
  // A long line is cut to a window around the place.
  const start = displayWidth(before) > maxLineWidth / 2 ? before.length - 40 : 0;
  const text = cutWindow(terminalLine(source), start);
  const offset = displayWidth(before.slice(start)) + (start > 0 ? 3 : 0);
  const length = Math.max(1, Math.min(displayWidth(within), displayWidth(text) - offset));
  return { offset, text, marker: '^'.repeat(length) };
}

function cutWindow(text: string, start: number): string {
  const cut = text.slice(start, start + maxLineWidth);
  return `${start > 0 ? '...' : ''}${cut}${text.length > start + maxLineWidth ? '...' : ''}`;
}

class LineLookup {
  readonly #texts: ReadonlyMap<string, string>;
  #latest: { file: string; lines: string[] } | undefined;

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  of(file: string): string[] {
    if (this.#latest?.file !== file) {
      this.#latest = { file, lines: maskSecrets(this.#texts.get(file) ?? '').split(/\r?\n/) };
    }
    return this.#latest.lines;
  }
}

/** Problems as `-o json` prints them. */
export function problemsAsData({ errors, warnings, truncated, problems }: ProblemReport) {
  return { errors, warnings, truncated, problems };
}
