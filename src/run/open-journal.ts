import type { Redactor } from '../config/secrets/redactor.js';
import type { JournalError } from './journal-error.js';
import { JournalWriter } from './journal-writer.js';
import { KeptOutputs } from './kept-outputs.js';
import type { PreviousRun } from './resume/previous-run.js';

interface OpenJournalOptions {
  journalPath: string;
  redactor: Redactor;
  /** What it holds already, if it goes on. */
  previous?: PreviousRun;
  onFailure(failure: JournalError): void;
}

/** A new journal, or one that goes on. Throws JournalError. */
export async function openJournal(options: OpenJournalOptions): Promise<JournalWriter> {
  const { journalPath, redactor, previous, onFailure } = options;
  if (!previous) {
    await KeptOutputs.clear(journalPath);
    return JournalWriter.create(journalPath, { redactor, onFailure, overwrite: true });
  }
  const { lastSeq, length } = previous;
  return JournalWriter.append(journalPath, { redactor, onFailure, lastSeq, length });
}
