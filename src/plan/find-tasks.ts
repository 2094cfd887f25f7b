import { dirname, resolve } from 'node:path';
import { isObject } from '../base/json.js';
import { findNearest } from '../base/nearest.js';
import { compareText, plural } from '../base/text.js';
import { isTaskFile, readTask, type Task } from '../config/files/task-file.js';
import { Problems } from '../config/problems/problem.js';
import type { ProblemCode } from '../config/problems/problem-codes.js';
import { describeValue } from '../config/problems/shape-check.js';
import type { TaskSetData } from '../config/schemas/eval-schema.js';
import {
  displayPath,
  type NamedBy,
  parseDocuments,
  readSource,
  requireSingleDocument,
} from '../config/yaml/data-file.js';
import type { DataPath, SourceFile } from '../config/yaml/source-file.js';
import { type FoundFile, findFiles, resolveRealPath } from './glob.js';

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
  readonly #tasks = new Map<string, FoundTask | undefined>();
  /** Files that globs passed over, and whether they parse; to name one by path is a mistake. */
  readonly #others = new Map<string, boolean>();

  readonly #lookalikes = new Map<string, Likeness & { source: SourceFile }>();
  /** The globs that were searched, for `reportLeftOut`. */
  readonly #globs: { glob: string; namedBy: NamedBy; nearMisses: FoundFile[] }[] = [];

  constructor(problems: Problems, maxFolders?: number) {
    this.#problems = problems;
    this.#maxFolders = maxFolders;
  }

  /** Path and glob start at a folder: that of the eval, or of a source. */
  find(
    set: TaskSetData,
    namedBy: NamedBy,
    folder: string = dirname(namedBy.file.path),
  ): FoundTask[] {
    if (set.path !== undefined) return this.#byPath(set.path, folder, atKey(namedBy, 'path'));
    if (set.glob !== undefined) return this.#byGlob(set.glob, folder, atKey(namedBy, 'glob'));
    return [];
  }

  /**
   * Reports files that probably were meant to be tasks and are left out: those that globs passed over
   * and that look like a Task, and Task files that a glob would match with another extension. To be
   * called when all task sets were searched, as one of them may name such a file.
   */
  reportLeftOut(): void {
    for (const [realPath, { source, code, at, message, hint }] of this.#lookalikes) {
      if (this.#tasks.has(realPath)) continue;
      this.#problems.atKey(source, at, code, message, hint);
    }
    for (const { glob, namedBy, nearMisses } of this.#globs) {
      const left = nearMisses.flatMap(({ path, realPath }) => {
        if (/[\\/]node_modules[\\/]/.test(path)) return [];
        if (this.#tasks.has(realPath) || this.#others.has(realPath)) return [];
        return holdsTask(path) ? [path] : [];
      });
      if (left.length === 0) continue;
      const names = left.sort(compareText).map(displayPath);
      const listed = names.length > 3 ? [...names.slice(0, 3), '...'] : names;
      const verb = left.length === 1 ? 'is a Task file' : 'are Task files';
      const message = `${listed.join(', ')} ${verb} that the glob ${JSON.stringify(glob)} does not match`;
      const rename = `rename ${left.length === 1 ? 'it' : 'them'}`;
      const isInCapitals = names.some((name) => /[A-Z]+$/.test(name));
      const hint = isInCapitals
        ? rename
        : `${rename}, or write the glob as ${JSON.stringify(widenExtension(glob))}`;
      this.#problems.atValue(namedBy.file, namedBy.path, 'unmatched-task', message, hint);
    }
  }

  #byPath(path: string, folder: string, namedBy: NamedBy): FoundTask[] {
    const absolute = resolve(folder, path);
    const realPath = resolveRealPath(absolute);
    if (!this.#tasks.has(realPath)) {
      this.#keep(realPath, this.#parse(absolute, namedBy), namedBy);
    }
    return this.#known(realPath);
  }

  #byGlob(glob: string, folder: string, namedBy: NamedBy): FoundTask[] {
    const { file, path: at } = namedBy;
    const wider = widenExtension(glob)?.replace(/\}$/, ',YAML,YML,JSON}');
    const result = findFiles(glob, folder, { maxFolders: this.#maxFolders, wider });
    if (!('files' in result)) {
      const message = `invalid glob: ${result.reason}`;
      this.#problems.atPart(file, at, result, 'invalid-glob', message);
      return [];
    }
    const files = result.files.sort((left, right) => compareText(left.path, right.path));
    for (const { path, realPath } of files) {
      if (this.#tasks.has(realPath) || this.#others.has(realPath)) continue;
      const parsed = this.#parse(path);
      if (parsed?.documents.some(isTaskFile)) this.#keep(realPath, parsed);
      else {
        this.#others.set(realPath, parsed !== undefined);
        if (parsed) this.#keepLikeness(realPath, parsed);
      }
    }
    this.#globs.push({ glob, namedBy, nearMisses: result.nearMisses });
    const found = files.flatMap(({ realPath }) => this.#known(realPath));
    // A file that does not parse, or a Task with a fault, is reported: it was found all the same.
    const isOther = ({ realPath }: FoundFile) => this.#others.get(realPath) === true;
    if (files.every(isOther)) this.#reportNothing(glob, files.length, namedBy);
    return found;
  }

  #parse(path: string, namedBy?: NamedBy): ParsedFile {
    const source = readSource(path, this.#problems, namedBy);
    const documents = source && parseDocuments(source, this.#problems);
    return source && documents && { source, documents };
  }

  #keep(realPath: string, parsed: ParsedFile, namedBy?: NamedBy) {
    const file =
      parsed && requireSingleDocument(parsed.source, parsed.documents, this.#problems, namedBy);
    const task = file && readTask(file, this.#problems, namedBy);
    this.#tasks.set(realPath, task && { realPath, task });
  }

  #known(realPath: string): FoundTask[] {
    const found = this.#tasks.get(realPath);
    return found ? [found] : [];
  }

  #keepLikeness(realPath: string, { source, documents }: NonNullable<ParsedFile>) {
    for (const document of documents) {
      const likeness = findLikeness(document);
      if (!likeness) continue;
      // Places are only known in a file's first document.
      const at = documents.length > 1 ? [] : likeness.at;
      this.#lookalikes.set(realPath, { ...likeness, source, at });
      return;
    }
  }

  #reportNothing(glob: string, files: number, { file, path }: NamedBy) {
    const reason = files === 0 ? 'no file' : `${plural(files, 'file')}, none of them a Task`;
    const message = `the glob ${JSON.stringify(glob)} matches ${reason}`;
    this.#problems.atValue(file, path, 'glob-matches-nothing', message);
  }
}

function atKey(namedBy: NamedBy, key: string): NamedBy {
  return { file: namedBy.file, path: [...namedBy.path, key] };
}

/** The glob for the same names with every extension that Task files have; undefined if it has none of them. */
function widenExtension(glob: string): string | undefined {
  const wider = glob.replace(/\.(ya?ml|json|\{[^{}/]*\})$/, '.{yaml,yml,json}');
  return wider === glob ? undefined : wider;
}

/** Whether a file is a Task. It was not asked for, so what is wrong with it is not reported. */
function holdsTask(path: string): boolean {
  const ignored = new Problems();
  const source = readSource(path, ignored);
  // Most files need no parser to see that they are none.
  if (!source?.text.includes('Task')) return false;
  return parseDocuments(source, ignored)?.some(isTaskFile) ?? false;
}

/** Why a document that is no Task was probably meant to be one. */
interface Likeness {
  code: ProblemCode;
  /** The key at which it shows. */
  at: DataPath;
  message: string;
  hint?: string;
}

/** The kinds that Proctor reads elsewhere: a glob may match them, and passes over them. */
const otherKinds: readonly unknown[] = ['Eval', 'Agent'];
const meant = 'the glob passes over it';

/**
 * Says why a document in a task glob looks like a Task and is none; undefined for what plainly is
 * something else. A manifest of Kubernetes has `metadata` and `spec` too: what carries an `apiVersion`
 * of another program is never taken for a Task.
 */
function findLikeness(data: unknown): Likeness | undefined {
  if (Array.isArray(data)) {
    const index = data.findIndex((item) => isTaskFile(item) || findLikeness(item));
    if (index === -1) return undefined;
    const message = `a list is not a Task: ${meant}`;
    return { code: 'looks-like-task', at: [index], message, hint: 'one task in each file' };
  }
  if (!isObject(data) || belongsToOtherProgram(data)) return undefined;
  const { kind } = data;
  if (kind === 'TaskSet') {
    const message = 'a TaskSet file is not read: its tasks would never run';
    const hint = 'write its tasks and assertions into taskSets of the eval';
    return { code: 'task-set-file', at: ['kind'], message, hint };
  }
  if (otherKinds.includes(kind) && !hasWork(data)) return undefined;
  return kind === undefined || kind === null ? checkMissingKind(data) : checkOtherKind(data, kind);
}

function belongsToOtherProgram({ apiVersion }: Record<string, unknown>): boolean {
  return typeof apiVersion === 'string' && !/^(gevals|mcpchecker|proctor)\b/i.test(apiVersion);
}

function checkMissingKind(data: Record<string, unknown>): Likeness | undefined {
  const keys = Object.keys(data);
  const key = findNearest('kind', keys);
  if (key !== undefined && key !== 'kind' && isNearlyTask(data[key])) {
    const message = `the key is written ${key}, not kind, so this is not a Task: ${meant}`;
    return { code: 'looks-like-task', at: [key], message, hint: 'write kind: Task' };
  }
  const wrapper = keys.find((candidate) => isTaskFile(data[candidate]));
  if (wrapper !== undefined) {
    const message = `there is a Task below the key ${wrapper}: ${meant}`;
    const hint = 'kind, metadata and spec belong at the top level';
    return { code: 'looks-like-task', at: [wrapper], message, hint };
  }
  if (!hasWork(data) && !(isObject(data.metadata) && ('spec' in data || 'steps' in data))) {
    return undefined;
  }
  const message = `this looks like a Task, and kind is missing: ${meant}`;
  return { code: 'looks-like-task', at: [], message, hint: 'add kind: Task' };
}

function checkOtherKind(data: Record<string, unknown>, kind: unknown): Likeness | undefined {
  if (!isNearlyTask(kind) && !hasWork(data)) return undefined;
  const message = `expected kind Task, found ${describeValue(kind)}: ${meant}`;
  return { code: 'looks-like-task', at: ['kind'], message, hint: 'write kind: Task' };
}

function isNearlyTask(kind: unknown): boolean {
  return typeof kind === 'string' && findNearest(kind.trim(), ['Task']) !== undefined;
}

/** What only a Task has: a prompt, or steps that verify; both, where spec was forgotten around them. */
function hasWork({ spec, steps, ...others }: Record<string, unknown>): boolean {
  if ('prompt' in others && 'verify' in others) return true;
  return [spec, steps].some((work) => isObject(work) && ('prompt' in work || 'verify' in work));
}
