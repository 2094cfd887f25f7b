import { explainWriteFailure } from './write-failure.js';

/** The journal cannot be written: says which file, why, and what to do. */
export class JournalError extends Error {
  /** Of the file system, such as `ENOSPC`. */
  readonly code: string;
  /** As it was given. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const { code, reason } = explainWriteFailure(cause);
    super(`cannot write the journal ${path}: ${reason}`, { cause });
    this.name = 'JournalError';
    this.code = code;
    this.path = path;
  }
}
