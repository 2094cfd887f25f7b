import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import type { ProblemCode } from './problem-codes.js';

/** Far beyond what a person writes; keeps the time to parse a hostile file bounded. */
const maxFileSize = 512 * 1024;

export type TextFile =
  | { ok: true; text: string }
  | { ok: false; code: ProblemCode; reason: string };

const byteOrderMark = '\ufeff';

/** Reads a regular UTF-8 file of bounded size; a FIFO or a device could hang or never end. */
export function readTextFile(path: string): TextFile {
  let bytes: Buffer;
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return failed('not-a-file', 'is a directory');
    if (!stats.isFile()) return failed('not-a-file', 'is not a regular file');
    if (stats.size > maxFileSize) {
      return failed('file-too-large', `is larger than ${maxFileSize / 1024} KiB`);
    }
    bytes = readFileSync(path);
  } catch (error) {
    return unreadable(error);
  }
  if (!isUtf8(bytes)) return failed('invalid-encoding', 'is not UTF-8 text');
  const text = bytes.toString('utf8');
  return { ok: true, text: text.startsWith(byteOrderMark) ? text.slice(1) : text };
}

function failed(code: ProblemCode, reason: string): TextFile {
  return { ok: false, code, reason };
}

function unreadable(error: unknown): TextFile {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return failed('file-not-found', 'does not exist');
    case 'EACCES':
    case 'EPERM':
      return failed('unreadable-file', 'cannot be read: permission denied');
    case 'ELOOP':
      return failed('unreadable-file', 'cannot be read: its symbolic links go round in a circle');
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return failed('file-not-found', 'does not exist: it is not a possible file name');
    default:
      return failed('unreadable-file', `cannot be read (${code ?? String(error)})`);
  }
}
