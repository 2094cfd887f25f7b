import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { ProblemCode } from './problem-codes.js';

/** Far beyond what a person writes; keeps the time to parse a hostile file bounded. */
const maxFileSize = 512 * 1024;

export type TextFile =
  | { ok: true; text: string }
  | { ok: false; code: ProblemCode; reason: string };

const byteOrderMark = '\ufeff';

/** One for all files: a suite has thousands of them, and each is decoded at once. */
const buffer = Buffer.allocUnsafe(maxFileSize + 1);

/** Reads a regular UTF-8 file of bounded size; a FIFO or a device could hang or never end. */
export function readTextFile(path: string): TextFile {
  let file: number | undefined;
  try {
    // Opening a FIFO would otherwise wait for somebody to write to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (stats.isDirectory()) return failed('not-a-file', 'is a directory');
    if (!stats.isFile()) return failed('not-a-file', 'is not a regular file');
    const size = readAll(file);
    if (size > maxFileSize) {
      return failed('file-too-large', `is larger than ${maxFileSize / 1024} KiB`);
    }
    const bytes = buffer.subarray(0, size);
    if (!isUtf8(bytes)) return failed('invalid-encoding', 'is not UTF-8 text');
    const text = bytes.toString('utf8');
    return { ok: true, text: text.startsWith(byteOrderMark) ? text.slice(1) : text };
  } catch (error) {
    return unreadable(error);
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
    case 'EISDIR':
      return failed('not-a-file', 'is a directory');
    case 'ENXIO':
      return failed('not-a-file', 'is not a regular file');
    case 'ENAMETOOLONG':
    case 'ERR_INVALID_ARG_VALUE':
      return failed('file-not-found', 'does not exist: it is not a possible file name');
    default:
      return failed('unreadable-file', `cannot be read (${code ?? String(error)})`);
  }
}
