import { compareText } from '../../base/text.js';
import { maskSecrets } from '../secrets/token-shapes.js';
import type { DataPath, SourceFile, TextRange } from '../yaml/source-file.js';
import { type ProblemCode, problemCodes, type Severity } from './problem-codes.js';

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

/**
 * The number of errors, and of warnings, after which collecting stops: more would not be read, and
 * time and memory have to stay bounded whatever the input.
 */
const maxProblems = 1_000;

/** A part of a text; none means all of it. */
export interface TextPart {
  offset?: number | undefined;
  length?: number | undefined;
}

/**
 * Collects the problems of a whole file set. It knows the text of every file that has one, so that
 * they can be shown with their lines.
 */
export class Problems {
  readonly #problems = new Map<string, Problem>();
  readonly #texts = new Map<string, string>();
  readonly #counts = { error: 0, warning: 0 };
  #truncated = false;

  /** At the value of a path. */
  atValue(file: SourceFile, path: DataPath, code: ProblemCode, message: string, hint?: string) {
    this.#at(file, () => file.valueRange(path), code, message, hint);
  }

  /** At the key of a path. */
  atKey(file: SourceFile, path: DataPath, code: ProblemCode, message: string, hint?: string) {
    this.#at(file, () => file.keyRange(path), code, message, hint);
  }

  /** At a part of the string at a path, or of a whole file if there is no path. */
  atPart(
    file: SourceFile,
    path: DataPath | undefined,
    { offset, length = 1 }: TextPart,
    code: ProblemCode,
    message: string,
    hint?: string,
  ) {
    const range = () => {
      if (path === undefined) return { start: offset ?? 0, end: (offset ?? 0) + length };
      return offset === undefined ? file.valueRange(path) : file.withinString(path, offset, length);
    };
    this.#at(file, range, code, message, hint);
  }

  /** Places are only looked up while there is room: that is what takes the time. */
  #at(file: SourceFile, range: () => TextRange, code: ProblemCode, message: string, hint?: string) {
    if (this.#isFull(problemCodes[code].severity)) return;
    const { start: from, end: to } = range();
    const start = file.position(from);
    const end = file.position(Math.max(to, from));
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

  /** Errors have room of their own: no number of warnings may hide that there is one. */
  #isFull(severity: Severity): boolean {
    const isFull = this.#counts[severity] >= maxProblems;
    if (isFull) this.#truncated = true;
    return isFull;
  }

  /** For a file that could not be read at all, and that no other file names. */
  aboutFile(file: string, code: ProblemCode, message: string, hint?: string) {
    const severity = problemCodes[code].severity;
    const place = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
    this.#add({ code, severity, ...place, message, ...(hint === undefined ? {} : { hint }) });
  }

  /** The same place can be reached on several ways (a task of two sets): it is one problem. */
  #add(problem: Problem) {
    const { code, file, line, column, message } = problem;
    problem.message = maskSecrets(message);
    const key = JSON.stringify([code, file, line, column, message]);
    if (this.#problems.has(key) || this.#isFull(problem.severity)) return;
    this.#counts[problem.severity]++;
    this.#problems.set(key, problem);
  }

  /** Adds the problems of another collection, or some of them. */
  addFrom(other: Problems, isWanted: (problem: Problem) => boolean = () => true) {
    for (const problem of other.#problems.values()) {
      if (!isWanted(problem)) continue;
      const text = other.#texts.get(problem.file);
      if (text !== undefined) this.#texts.set(problem.file, text);
      this.#add({ ...problem });
    }
    if (other.#truncated) this.#truncated = true;
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
    return {
      problems,
      errors,
      warnings: problems.length - errors,
      truncated: this.#truncated,
      texts: this.#texts,
    };
  }
}

export interface ProblemReport {
  problems: Problem[];
  errors: number;
  warnings: number;
  /** There are more problems than were collected. */
  truncated: boolean;
  /** The content of each file that a problem points into, by the name of the file. */
  texts: ReadonlyMap<string, string>;
}
