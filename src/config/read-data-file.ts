import { dirname, relative, resolve } from 'node:path';
import { describePath } from './check-shape.js';
import { readPlainYaml } from './plain-yaml.js';
import type { Problems } from './problem.js';
import { readTextFile } from './read-text-file.js';
import { type DataPath, SourceFile } from './source-file.js';
import { parseYaml, plainValue } from './yaml-document.js';

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
export function shownName(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere === '' || fromHere.length >= path.length ? path : fromHere;
}

export function readSource(
  path: string,
  problems: Problems,
  namedBy?: NamedBy,
): SourceFile | undefined {
  const read = readTextFile(path);
  if (read.ok) return new SourceFile(path, shownName, read.text);
  const name = shownName(path);
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
  return source && documents && singleDocument(source, documents, problems, namedBy);
}

/** The one document of a file, or undefined with the problem reported. */
export function singleDocument(
  source: SourceFile,
  documents: readonly unknown[],
  problems: Problems,
  namedBy?: NamedBy,
): DataFile | undefined {
  const [data] = documents;
  if (documents.length > 1) {
    reportSeveral(source, problems);
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
  const values = faults.length === 0 ? documents.map(plainValue) : [];
  const allFaults = [...faults, ...values.flatMap((value) => value.faults)];
  for (const { code, message, start, end, hint } of allFaults) {
    const part = { offset: start, length: end - start };
    problems.atPart(source, undefined, part, code, message, hint);
  }
  return allFaults.length === 0 ? values.map((value) => value.value) : undefined;
}

/** At the marker that starts the second document. */
function reportSeveral(source: SourceFile, problems: Problems): void {
  const second = parseYaml(source.text).documents[1]?.range[0] ?? 0;
  const offset = Math.max(source.text.lastIndexOf('---', second), 0);
  const message = 'expected one document, here starts another';
  problems.atPart(source, undefined, { offset, length: 3 }, 'several-documents', message);
}
