import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { plural } from '../config/plural.js';
import { compareText, type Problems } from '../config/problem.js';
import {
  type NamedBy,
  parseDocuments,
  readSource,
  resolveFrom,
  singleDocument,
} from '../config/read-data-file.js';
import type { TaskSetData } from '../config/schemas/eval-schema.js';
import type { SourceFile } from '../config/source-file.js';
import { isTaskFile, readTask, type Task } from '../config/task-file.js';
import { findFiles } from './glob.js';

interface FoundTask {
  /** The same for every path that leads to the file. */
  realPath: string;
  task: Task;
}

/** A file that parses; undefined if it does not, which is reported. */
type ParsedFile = { source: SourceFile; documents: unknown[] } | undefined;

/** Finds the tasks of task sets. Each file is read once, however many sets reach it. */
export class TaskFinder {
  readonly #problems: Problems;
  readonly #maxFolders: number | undefined;
  readonly #realPaths = new RealPaths();
  readonly #tasks = new Map<string, FoundTask | undefined>();
  /** Files that globs passed over, and whether they parse; to name one by path is a mistake. */
  readonly #others = new Map<string, boolean>();

  constructor(problems: Problems, maxFolders?: number) {
    this.#problems = problems;
    this.#maxFolders = maxFolders;
  }

  find(set: TaskSetData, namedBy: NamedBy): FoundTask[] {
    if (set.path !== undefined) return this.#byPath(set.path, at(namedBy, 'path'));
    if (set.glob !== undefined) return this.#byGlob(set.glob, at(namedBy, 'glob'));
    return [];
  }

  #byPath(path: string, namedBy: NamedBy): FoundTask[] {
    const absolute = resolveFrom(namedBy.file, path);
    const realPath = this.#realPaths.of(absolute);
    if (!this.#tasks.has(realPath)) {
      this.#keep(realPath, this.#parse(absolute, namedBy), namedBy);
    }
    return this.#known(realPath);
  }

  #byGlob(glob: string, namedBy: NamedBy): FoundTask[] {
    const { file, path: at } = namedBy;
    const result = findFiles(glob, dirname(file.path), this.#maxFolders);
    if (!('paths' in result)) {
      const message = `invalid glob: ${result.reason}`;
      this.#problems.atPart(file, at, result, 'invalid-glob', message);
      return [];
    }
    const paths = result.paths.sort(compareText);
    const realPaths = paths.map((path) => this.#realPaths.of(path));
    for (const [index, realPath] of realPaths.entries()) {
      if (this.#tasks.has(realPath) || this.#others.has(realPath)) continue;
      const parsed = this.#parse(paths[index] ?? '');
      if (parsed?.documents.some(isTaskFile)) this.#keep(realPath, parsed);
      else this.#others.set(realPath, parsed !== undefined);
    }
    const found = realPaths.flatMap((realPath) => this.#known(realPath));
    // A file that does not parse, or a Task with a fault, is reported: it was found all the same.
    const isOther = (path: string) => this.#others.get(path) === true;
    if (realPaths.every(isOther)) this.#reportNothing(glob, paths.length, namedBy);
    return found;
  }

  #parse(path: string, namedBy?: NamedBy): ParsedFile {
    const source = readSource(path, this.#problems, namedBy);
    const documents = source && parseDocuments(source, this.#problems);
    return source && documents && { source, documents };
  }

  #keep(realPath: string, parsed: ParsedFile, namedBy?: NamedBy) {
    const file = parsed && singleDocument(parsed.source, parsed.documents, this.#problems, namedBy);
    const task = file && readTask(file, this.#problems, namedBy);
    this.#tasks.set(realPath, task && { realPath, task });
  }

  #known(realPath: string): FoundTask[] {
    const found = this.#tasks.get(realPath);
    return found ? [found] : [];
  }

  #reportNothing(glob: string, files: number, { file, path }: NamedBy) {
    const reason = files === 0 ? 'no file' : `${plural(files, 'file')}, none of them a Task`;
    const message = `the glob ${JSON.stringify(glob)} matches ${reason}`;
    this.#problems.atValue(file, path, 'glob-matches-nothing', message);
  }
}

function at(namedBy: NamedBy, key: string): NamedBy {
  return { file: namedBy.file, path: [...namedBy.path, key] };
}

/** Most files are no links: then only their folder has to be looked up, once. */
class RealPaths {
  readonly #folders = new Map<string, string>();

  of(path: string): string {
    const folder = dirname(path);
    let realFolder = this.#folders.get(folder);
    if (realFolder === undefined) {
      realFolder = realPathOf(folder);
      this.#folders.set(folder, realFolder);
    }
    return isLink(path) ? realPathOf(path) : join(realFolder, basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return false;
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
