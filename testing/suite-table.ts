import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * One case of a table: a suite as files, and what is expected of it. A table is a text file in the
 * manner of Go's txtar:
 *
 *     === name-of-the-case
 *     Why the case is there, where its name does not say it.
 *     -- eval.yaml --
 *     kind: Eval
 *     -- link.yaml -> eval.yaml --
 *     -- notes.txt (crlf, no final newline) --
 *     two
 *     lines
 *     -- expect --
 *     eval.yaml:1:1-1:5 error some-code
 *
 * What a text file cannot show stands in parentheses: `crlf` ends lines with CR LF, `bom` and
 * `utf-16` begin with a byte order mark, `executable` sets the mode, `no final newline` leaves out
 * the last one, and `escaped` reads `\\` as a backslash and `\xHH` as a byte.
 */
export interface SuiteCase {
  name: string;
  files: readonly CaseFile[];
  /** Lines of the section `expect`, without empty ones. */
  expected: readonly string[];
}

export type CaseFile =
  | { path: string; linkTo: string }
  | { path: string; content: Buffer; isExecutable: boolean };

const fileHeading = /^-- (\S+)(?: -> (\S+))?(?: \(([^)]+)\))? --$/;

export function parseSuiteTable(table: string): SuiteCase[] {
  return table
    .split(/^=== /m)
    .slice(1)
    .map((text) => parseCase(text.replace(/\n$/, '').split('\n')));
}

function parseCase([name = '', ...lines]: readonly string[]): SuiteCase {
  const files: CaseFile[] = [];
  let expected: readonly string[] = [];
  let end = lines.length;
  // From the last section to the first: each ends where the one behind it begins.
  for (let start = lines.length - 1; start >= 0; start -= 1) {
    const [, file, linkTo, notes] = fileHeading.exec(lines[start] ?? '') ?? [];
    if (file === undefined) continue;
    const section = lines.slice(start + 1, end);
    if (file === 'expect') expected = section.filter((line) => line.trim() !== '');
    else if (linkTo !== undefined) files.unshift({ path: file, linkTo });
    else files.unshift({ path: file, ...encodeContent(section, notes?.split(', ') ?? []) });
    end = start;
  }
  return { name, files, expected };
}

const knownNotes = ['bom', 'crlf', 'escaped', 'executable', 'no final newline', 'utf-16'];

function encodeContent(lines: readonly string[], notes: readonly string[]) {
  const unknown = notes.filter((note) => !knownNotes.includes(note));
  if (unknown.length > 0) throw new Error(`unknown note of a file: ${unknown.join(', ')}`);
  const lineEnd = notes.includes('crlf') ? '\r\n' : '\n';
  const isEnded = lines.length > 0 && !notes.includes('no final newline');
  const text = lines.join(lineEnd) + (isEnded ? lineEnd : '');
  return { content: encodeText(text, notes), isExecutable: notes.includes('executable') };
}

function encodeText(text: string, notes: readonly string[]): Buffer {
  if (notes.includes('utf-16')) return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (notes.includes('bom')) return Buffer.from(`\ufeff${text}`);
  if (!notes.includes('escaped')) return Buffer.from(text);
  const parts = text.split(/(\\\\|\\x[0-9a-f]{2})/);
  return Buffer.concat(parts.map((part) => Buffer.from(...decodeEscape(part))));
}

function decodeEscape(part: string): [text: string, encoding: BufferEncoding] {
  if (part === '\\\\') return ['\\', 'utf8'];
  return part.startsWith('\\x') ? [part.slice(2), 'hex'] : [part, 'utf8'];
}

/** Writes the files of a case into a folder, which is made. */
export async function writeCase(folder: string, files: readonly CaseFile[]): Promise<void> {
  for (const file of files) {
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    if ('linkTo' in file) await symlink(file.linkTo, target);
    else await writeFile(target, file.content, { mode: file.isExecutable ? 0o755 : 0o644 });
  }
}
