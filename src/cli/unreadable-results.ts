import { DamagedJournal, NotAJournal } from '../events/journal-errors.js';
import { NotAnEvaluation, UnreadableResults } from '../results/results-errors.js';
import { UsageError } from './exit-codes.js';

/** What to throw when a file that was named as results could not be read. */
export function unreadableResults(path: string, error: unknown): unknown {
  const isOurs = [UnreadableResults, NotAnEvaluation, NotAJournal, DamagedJournal].some(
    (kind) => error instanceof kind,
  );
  if (isOurs && error instanceof Error) return new UsageError(error.message);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new UsageError(`${path} does not exist`);
  if (code === 'EISDIR') return new UsageError(`${path} is a folder`);
  if (code === 'EACCES') return new UsageError(`${path} cannot be read: ${message}`);
  return error;
}
