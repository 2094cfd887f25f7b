import type { LeftOutParts } from '../journal/left-out.js';
import { recordedFromMcpchecker, recordedFromOwn } from './from-record.js';
import { isJournal } from './open-results.js';
import type { RecordedTaskRun } from './recorded-task-run.js';
import { ResultsDocument } from './results-document.js';
import { ResultsJournal } from './results-journal.js';

/**
 * The task runs of a file, as far as they can be judged again, one in memory at a time. Throws what
 * openResults throws, but does not ask for more than task runs. `onRead` is called after the last one.
 */
export async function* readTaskRuns(
  path: string,
  onRead: (leftOut: LeftOutParts) => void = () => {},
): AsyncGenerator<RecordedTaskRun> {
  if (await isJournal(path)) {
    const journal = await ResultsJournal.open(path);
    for await (const { record, text, random } of journal.taskRuns({ withoutCallResults: true })) {
      yield recordedFromOwn(record, text, random);
    }
    onRead(journal.leftOut);
    return;
  }
  const document = new ResultsDocument(path);
  for await (const { record, text, kind } of document.taskRuns()) {
    yield kind === 'own' ? recordedFromOwn(record, text) : recordedFromMcpchecker(record);
  }
  onRead(document.leftOut);
}
