import { journalSchema } from './run-events.js';

/** The file is something else, or a journal that only a newer Proctor can read. */
export class NotAJournal extends Error {
  readonly code: 'not-a-journal' | 'newer-journal';
  readonly path: string;
  /** What is there instead. */
  readonly found: string;

  constructor(path: string, found: string, isNewer = false) {
    super(
      isNewer
        ? `${path} was made by a newer Proctor (${found}, this one reads ${journalSchema}): update Proctor to read it`
        : `${path} is not a journal of Proctor: found ${found}, expected ${journalSchema} in its first line`,
    );
    this.name = 'NotAJournal';
    this.code = isNewer ? 'newer-journal' : 'not-a-journal';
    this.path = path;
    this.found = found;
  }
}
