import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { NotAJournalError } from '../../journal/journal-reader.js';
import {
  ContradictingResultsError,
  ControlResultsError,
  MixedInputsError,
  NotARunError,
  UnreadableResultsError,
} from '../results-errors.js';

/** What to throw when a file that was named as results could not be read. */
export function explainUnreadableResults(path: string, error: unknown): unknown {
  if (error instanceof ControlResultsError) {
    const hint = 'take the results of a check with an agent; proctor view shows control runs';
    return new UsageError(error.message, hint);
  }
  const isOurs = ours.some((kind) => error instanceof kind);
  if (isOurs && error instanceof Error) return new UsageError(error.message);
  // Of several files it is the one that the error names.
  const { code, message, path: file = path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(`${file} does not exist`, suggestJournal(file));
  if (code === 'EISDIR') return new UsageError(`${file} is a folder`);
  // It is read more than once.
  if (code === 'ESPIPE') return new UsageError(`${file} is a pipe: expected a file`);
  const isOfSystem = code !== undefined && /^E[A-Z0-9]+$/.test(code);
  return isOfSystem ? new UsageError(`${file} cannot be read: ${message}`) : error;
}

/** A check that still runs has no results yet. */
function suggestJournal(file: string): string | undefined {
  const journal = file.replace(/\.json$/, '.jsonl');
  if (journal === file || !existsSync(journal)) return undefined;
  return `there is a journal, of a check that runs or was killed: ${journal}`;
}

const ours = [
  UnreadableResultsError,
  ContradictingResultsError,
  NotARunError,
  MixedInputsError,
  NotAJournalError,
] as const;
