import { errorMessage } from './errors.js';

/** Why a file cannot be written, and what to do about it. */
export function explainWriteFailure(cause: unknown): { code: string; reason: string } {
  const code = codeOf(cause);
  const reason = reasons[code] ?? errorMessage(cause);
  return { code, reason };
}

const denied = 'permission denied: make its folder writable, or choose another file';

const reasons: Record<string, string> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: 'its file system is read-only: choose another file',
  ENOSPC: 'the disk is full: free some space, or choose another file',
  EDQUOT: 'the disk quota is used up: free some space, or choose another file',
  EFBIG: 'the file is larger than its file system allows: choose another file',
  ENOENT: 'its folder does not exist: create it, or choose another file',
  ENOTDIR: 'a part of its path is not a folder: choose another file',
  EISDIR: 'it is a folder: choose another file',
  EEXIST: 'it exists already: remove it, or choose another file',
};

function codeOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'EIO';
}

/** Codes of what goes wrong with nothing but what is written. */
export const writeFailures: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']);
