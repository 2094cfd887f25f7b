import { recordedFromMcpchecker, recordedFromOwn } from './from-record.js';
import { isJournal } from './open-results.js';
import type { RecordedTaskRun } from './recorded-task-run.js';
import { ResultsDocument } from './results-document.js';
import { ResultsJournal } from './results-journal.js';

/**
 * The task runs of a file, as far as they can be judged again, one in memory at a time. Throws what
 * openResults throws, but does not ask for more than task runs.
 */
export async function* readTaskRuns(path: string): AsyncGenerator<RecordedTaskRun> {
  if (await isJournal(path)) {
    const journal = await ResultsJournal.open(path);
    for await (const { record, text, random } of journal.taskRuns({ withoutCallResults: true })) {
      yield recordedFromOwn(record, text, random);
    }
    return;
  }
  for await (const { record, text, kind } of new ResultsDocument(path).taskRuns()) {
    yield kind === 'own' ? recordedFromOwn(record, text) : recordedFromMcpchecker(record);
  }
}
