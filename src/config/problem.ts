import { type ProblemCode, problemCodes, type Severity } from './problem-codes.js';
import type { DataPath, SourceFile, TextRange } from './source-file.js';

/** One thing wrong with a suite, at an exact place. Lines and columns count from 1. */
export interface Problem {
  code: ProblemCode;
  severity: Severity;
  file: string;
  line: number;
  column: number;
  endLine: number;
  /** Exclusive. */
  endColumn: number;
  message: string;
  hint?: string;
}

/** Collecting stops here: nobody reads more, and memory must not follow the input. */
const maxProblems = 10_000;

/**
 * Collects the problems of a whole file set. It knows the text of every file that has one, so that
 * they can be shown with their lines.
 */
export class Problems {
  readonly #problems = new Map<string, Problem>();
  readonly #texts = new Map<string, string>();

  /** At the value of a path. */
  atValue(file: SourceFile, path: DataPath, code: ProblemCode, message: string, hint?: string) {
    this.inText(file, file.valueRange(path), code, message, hint);
  }

  /** At the key of a path. */
  atKey(file: SourceFile, path: DataPath, code: ProblemCode, message: string, hint?: string) {
    this.inText(file, file.keyRange(path), code, message, hint);
  }

  inText(file: SourceFile, range: TextRange, code: ProblemCode, message: string, hint?: string) {
    const start = file.position(range.start);
    const end = file.position(Math.max(range.end, range.start));
    this.#texts.set(file.name, file.text);
    this.#add({
      code,
      severity: problemCodes[code].severity,
      file: file.name,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  /** For a file that could not be read at all, and that no other file names. */
  aboutFile(file: string, code: ProblemCode, message: string, hint?: string) {
    const severity = problemCodes[code].severity;
    const place = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
    this.#add({ code, severity, ...place, message, ...(hint === undefined ? {} : { hint }) });
  }

  /** The same place can be reached on several ways (a task of two sets): it is one problem. */
  #add(problem: Problem) {
    if (this.#problems.size >= maxProblems) return;
    const { code, file, line, column, message } = problem;
    this.#problems.set(JSON.stringify([code, file, line, column, message]), problem);
  }

  /** By file, line and column. `strict` turns warnings into errors. */
  report(options: { strict?: boolean } = {}): ProblemReport {
    const problems = [...this.#problems.values()]
      .map((problem) => (options.strict ? { ...problem, severity: 'error' as const } : problem))
      .sort(
        (left, right) =>
          compareText(left.file, right.file) ||
          left.line - right.line ||
          left.column - right.column ||
          compareText(left.code, right.code),
      );
    const errors = problems.filter((problem) => problem.severity === 'error').length;
    return { problems, errors, warnings: problems.length - errors, texts: this.#texts };
  }
}

export interface ProblemReport {
  problems: Problem[];
  errors: number;
  warnings: number;
  /** The text of each file that a problem points into, by its name. */
  texts: ReadonlyMap<string, string>;
}

/** By code units: the same everywhere, whatever the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
