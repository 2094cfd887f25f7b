import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMap } from '../config/kind.js';
import { plural } from '../config/plural.js';
import { compareText, type Problems } from '../config/problem.js';
import {
  type DataFile,
  type NamedBy,
  parseDocuments,
  readDataFile,
  readSource,
  reportSeveral,
  resolveFrom,
} from '../config/read-data-file.js';
import type { TaskSetData } from '../config/schemas/eval-schema.js';
import { isTaskFile, readTask, type Task } from '../config/task-file.js';
import { globFault } from './glob-syntax.js';

interface FoundTask {
  /** The same for every path that leads to the file. */
  realPath: string;
  task: Task;
}

/** Finds the tasks of task sets. Each file is read once, however many sets reach it. */
export class TaskFinder {
  readonly #problems: Problems;
  readonly #tasks = new Map<string, FoundTask | undefined>();

  readonly #maxFolders: number;
  readonly #realPaths = new RealPaths();

  constructor(problems: Problems, maxFolders = 50_000) {
    this.#problems = problems;
    this.#maxFolders = maxFolders;
  }

  async find(set: TaskSetData, namedBy: NamedBy): Promise<FoundTask[]> {
    if (set.path !== undefined) return this.#byPath(set.path, at(namedBy, 'path'));
    if (set.glob !== undefined) return this.#byGlob(set.glob, at(namedBy, 'glob'));
    return [];
  }

  #byPath(path: string, namedBy: NamedBy): FoundTask[] {
    const found = this.#once(resolveFrom(namedBy.file, path), (absolute) => {
      const file = readDataFile(absolute, this.#problems, namedBy);
      return file && readTask(file, this.#problems, namedBy);
    });
    return found ? [found] : [];
  }

  async #byGlob(glob: string, namedBy: NamedBy): Promise<FoundTask[]> {
    const fault = globFault(glob);
    if (fault) {
      const { file, path } = namedBy;
      const message = `invalid glob: ${fault.reason}`;
      this.#problems.atPart(file, path, fault, 'invalid-glob', message);
      return [];
    }
    const paths = await matchingFiles(glob, dirname(namedBy.file.path), this.#maxFolders);
    if (!paths) {
      const message = `the glob goes through more than ${this.#maxFolders} folders`;
      const hint = 'start it in a folder that holds little else';
      this.#problems.atValue(namedBy.file, namedBy.path, 'invalid-glob', message, hint);
      return [];
    }
    let unreadable = 0;
    const found = paths.flatMap((path) => {
      const task = this.#once(path, (absolute) => {
        const file = this.#taskFile(absolute);
        if (file === 'unreadable') unreadable++;
        return typeof file === 'object' ? readTask(file, this.#problems) : undefined;
      });
      return task ? [task] : [];
    });
    if (found.length === 0 && unreadable === 0) this.#reportNothing(glob, paths.length, namedBy);
    return found;
  }

  #reportNothing(glob: string, files: number, { file, path }: NamedBy) {
    const reason = files === 0 ? 'no file' : `${plural(files, 'file')}, none of them a Task`;
    const message = `the glob ${JSON.stringify(glob)} matches ${reason}`;
    this.#problems.atValue(file, path, 'glob-matches-nothing', message);
  }

  /** A file that a glob matches may be of another kind: then it is none of ours. */
  #taskFile(path: string): DataFile | 'unreadable' | 'other' {
    const source = readSource(path, this.#problems);
    const documents = source && parseDocuments(source, this.#problems);
    if (!documents) return 'unreadable';
    const [data] = documents;
    if (documents.length > 1) {
      if (!documents.some(isTaskFile)) return 'other';
      const message = 'a Task must be the only document of its file';
      reportSeveral(source, message, this.#problems);
      return 'unreadable';
    }
    return isMap(data) && isTaskFile(data) ? { source, data } : 'other';
  }

  #once(path: string, read: (path: string) => Task | undefined): FoundTask | undefined {
    const realPath = this.#realPaths.of(path);
    if (!this.#tasks.has(realPath)) {
      const task = read(path);
      this.#tasks.set(realPath, task && { realPath, task });
    }
    return this.#tasks.get(realPath);
  }
}

/** Sorted; undefined if the search would go too far, as one that starts at the root would. */
async function matchingFiles(
  glob: string,
  folder: string,
  maxFolders: number,
): Promise<string[] | undefined> {
  // Many evals name their tasks one by one, and start faster without.
  const { globSync } = await import('tinyglobby');
  let folders = 0;
  const paths = globSync(glob, {
    cwd: folder,
    absolute: true,
    expandDirectories: false,
    onlyFiles: true,
    fs: {
      readdirSync: ((...call: Parameters<typeof readdirSync>) =>
        // Once it is too far, nothing more is found and the search soon ends.
        folders++ < maxFolders ? readdirSync(...call) : []) as typeof readdirSync,
    },
  });
  return folders > maxFolders ? undefined : paths.sort(compareText);
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
