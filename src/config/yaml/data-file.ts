import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isObject } from '../../base/json.js';
import type { Problems } from '../problems/problem.js';
import type { ProblemCode } from '../problems/problem-codes.js';
import { describePath, describeValue } from '../problems/shape-check.js';
import { readPlainYaml } from './plain-yaml.js';
import { type DataPath, SourceFile } from './source-file.js';
import { parseYaml, toPlainValue } from './yaml-document.js';

/** The key in another file that names a file, so that a wrong path is marked where it stands. */
export interface NamedBy {
  file: SourceFile;
  path: DataPath;
}

/** A YAML or JSON file as plain data. */
export interface DataFile {
  source: SourceFile;
  data: unknown;
}

/** Relative paths start at the folder of the file that names them. */
export function resolveFrom(file: SourceFile, path: string): string {
  return resolve(dirname(file.path), path);
}

/** How a file is called in messages: from the current directory, if that is shorter to read. */
export function displayPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.length >= path.length ? path : fromHere;
}

export function readSource(
  path: string,
  problems: Problems,
  namedBy?: NamedBy,
): SourceFile | undefined {
  const read = readTextFile(path);
  if (read.ok) return new SourceFile(path, displayPath, read.text);
  const name = displayPath(path);
  const message = `${name} ${read.reason}`;
  if (namedBy) problems.atValue(namedBy.file, namedBy.path, read.code, message);
  else problems.aboutFile(name, read.code, message);
  return undefined;
}

/** Reads a file that must hold exactly one document. */
export function readDataFile(
  path: string,
  problems: Problems,
  namedBy?: NamedBy,
): DataFile | undefined {
  const source = readSource(path, problems, namedBy);
  const documents = source && parseDocuments(source, problems);
  return source && documents && requireSingleDocument(source, documents, problems, namedBy);
}

/** The one document of a file, or undefined with the problem reported. */
export function requireSingleDocument(
  source: SourceFile,
  documents: readonly unknown[],
  problems: Problems,
  namedBy?: NamedBy,
): DataFile | undefined {
  const [data] = documents;
  if (documents.length > 1) {
    reportSeveralDocuments(source, problems);
    return undefined;
  }
  if (data === undefined || data === null) {
    const wanted = namedBy ? ` (named by ${describePath(namedBy.path)})` : '';
    const message = `there is no data here${wanted}`;
    problems.atPart(source, undefined, { offset: 0, length: 0 }, 'empty-file', message);
    return undefined;
  }
  return { source, data };
}

/** All documents of a file; undefined if it does not parse, with the problems reported. */
export function parseDocuments(source: SourceFile, problems: Problems): unknown[] | undefined {
  const plain = readPlainYaml(source.text);
  if (plain) return [plain.value];
  const { documents, faults } = parseYaml(source.text);
  const values = faults.length === 0 ? documents.map(toPlainValue) : [];
  const allFaults = [...faults, ...values.flatMap((value) => value.faults)];
  for (const { code, message, start, end, hint } of allFaults) {
    const part = { offset: start, length: end - start };
    problems.atPart(source, undefined, part, code, message, hint);
  }
  return allFaults.length === 0 ? values.map((value) => value.value) : undefined;
}

/** At the marker that starts the second document. */
function reportSeveralDocuments(source: SourceFile, problems: Problems): void {
  const second = parseYaml(source.text).documents[1]?.range[0] ?? 0;
  const offset = Math.max(source.text.lastIndexOf('---', second), 0);
  const message = 'expected one document, here starts another';
  problems.atPart(source, undefined, { offset, length: 3 }, 'several-documents', message);
}

/** Far beyond what a person writes; keeps the time to parse a hostile file bounded. */
const maxFileSize = 512 * 1024;

export type TextFileResult =
  | { ok: true; text: string }
  | { ok: false; code: ProblemCode; reason: string };

const byteOrderMark = '\ufeff';

/** One for all files: a suite has thousands of them, and each is decoded at once. */
const buffer = Buffer.allocUnsafe(maxFileSize + 1);

/** Reads a regular UTF-8 file of bounded size; a FIFO or a device could hang or never end. */
export function readTextFile(path: string): TextFileResult {
  let file: number | undefined;
  try {
    // Opening a FIFO would otherwise wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (stats.isDirectory()) return failRead('not-a-file', 'is a directory');
    if (!stats.isFile()) return failRead('not-a-file', 'is not a regular file');
    const size = readAll(file);
    if (size > maxFileSize) {
      return failRead('file-too-large', `is larger than ${maxFileSize / 1024} KiB`);
    }
    const bytes = buffer.subarray(0, size);
    if (!isUtf8(bytes)) return failRead('invalid-encoding', 'is not UTF-8 text');
    const text = bytes.toString('utf8');
    return { ok: true, text: text.startsWith(byteOrderMark) ? text.slice(1) : text };
  } catch (error) {
    return describeReadError(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** By reading, not by the size the file system states: a file may grow, and some state none. */
function readAll(file: number): number {
  let size = 0;
  for (;;) {
    const count = readSync(file, buffer, size, buffer.length - size, null);
    size += count;
    if (count === 0 || size === buffer.length) return size;
  }
}

function failRead(code: ProblemCode, reason: string): TextFileResult {
  return { ok: false, code, reason };
}

function describeReadError(error: unknown): TextFileResult {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return failRead('file-not-found', 'does not exist');
    case 'EACCES':
    case 'EPERM':
      return failRead('unreadable-file', 'cannot be read: permission denied');
    case 'ELOOP':
      return failRead('unreadable-file', 'cannot be read: its symbolic links go round in a circle');
    case 'EISDIR':
      return failRead('not-a-file', 'is a directory');
    case 'ENXIO':
      return failRead('not-a-file', 'is not a regular file');
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return failRead('file-not-found', 'does not exist: it is not a possible file name');
    default:
      return failRead('unreadable-file', `cannot be read (${code ?? String(error)})`);
  }
}

type Kind = 'Eval' | 'Agent' | 'Task';

export function readKind(data: unknown): unknown {
  return isObject(data) ? data.kind : undefined;
}

/** Reports a wrong kind once, at the `kind`, instead of listing every key that another kind would have. */
export function checkKind(
  { source, data }: DataFile,
  wanted: Kind,
  problems: Problems,
  namedBy?: NamedBy,
): boolean {
  const kind = readKind(data);
  if (kind === wanted) return true;
  if (!isObject(data)) {
    problems.atValue(
      source,
      [],
      'wrong-kind',
      `expected kind ${wanted}, found ${describeValue(data)}`,
    );
  } else if (kind === undefined || kind === null) {
    problems.atKey(source, [], 'wrong-kind', `kind is missing: expected kind: ${wanted}`);
  } else {
    const article = wanted === 'Task' ? 'a' : 'an';
    const needs = namedBy ? `: ${formatPlace(namedBy)} needs ${article} ${wanted}` : '';
    problems.atValue(
      source,
      ['kind'],
      'wrong-kind',
      `expected kind ${wanted}, found ${describeValue(kind)}${needs}`,
    );
  }
  return false;
}

function formatPlace({ file, path }: NamedBy): string {
  return `${file.name}:${file.keyLine(path)}`;
}
