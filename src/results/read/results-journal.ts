import { LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import { type JournalSurvey, surveyJournal } from '../journal/journal-survey.js';
import {
  type JournalTaskRun,
  readJournalTaskRuns,
  readOpenTaskRuns,
} from '../journal/journal-task-runs.js';
import { LeftOutByReading, type ReadOptions } from '../results-file.js';
import type { ResultsHeader } from '../results-header.js';
import { markSuspectedErrors } from '../suspected-errors.js';
import type { TaskRunRecord, TaskRunSoFar } from '../task-run-record.js';
import { parseRaw } from '../write/json-output.js';
import { computeTotals } from '../write/totals.js';
import { buildResultsHead } from '../write/write-results.js';
import { parseHeader } from './header-parser.js';
import { countCalls, parseOpenTaskRun, parseTaskRun } from './task-run-parser.js';

/** A task run with the JSON of the arguments of its calls, and with the random values that only a journal has. */
interface ReadTaskRun {
  record: TaskRunRecord;
  argsTexts: (string | undefined)[];
  random: JournalTaskRun['random'];
}

/** The journal of a run, which may still go on: it is read as it was when it was opened. */
export class ResultsJournal {
  readonly #path: string;
  readonly #survey: JournalSurvey;
  readonly #leftOut = new LeftOutByReading();

  private constructor(path: string, survey: JournalSurvey) {
    this.#path = path;
    this.#survey = survey;
  }

  /** Opens a journal. Throws NotARunError, and what readJournal throws. */
  static async open(path: string): Promise<ResultsJournal> {
    return new ResultsJournal(path, await surveyJournal(path));
  }

  /** All that was left out: lines, members of events, and parts of task runs. */
  get leftOut(): LeftOutParts {
    return this.#leftOut.joinWith(this.#survey.leftOut);
  }

  get header(): ResultsHeader {
    const { counted, planned, open } = this.#survey;
    const head = buildResultsHead(this.#survey, '', computeTotals([...counted.values()], planned));
    parseRaw(head);
    const list = this.#leftOut.startHeader();
    return parseHeader(head, 'journal', (part) => list.add(part), open);
  }

  async *taskRuns(options: ReadOptions): AsyncGenerator<ReadTaskRun> {
    const list = this.#leftOut.startReading();
    const taskRuns = readJournalTaskRuns(this.#path, this.#survey, options);
    for await (const { name, random, read } of taskRuns) {
      const unchecked = await read();
      if (unchecked.tooLarge) {
        const expected = 'a task run that can be read';
        list.add({ place: name, expected, found: 'one that is too large' });
        continue;
      }
      // A journal is checked like any file: an unknown outcome would not be counted.
      const record = parseTaskRun(unchecked.value, name, (part) => list.add(part));
      if (record) yield { record, argsTexts: unchecked.argsTexts, random };
    }
  }

  async *openTaskRuns(): AsyncGenerator<TaskRunSoFar> {
    // What is left out of these is reported after they have ended.
    const list = new LeftOutList();
    for await (const unchecked of readOpenTaskRuns(this.#path, this.#survey)) {
      if (unchecked.tooLarge) continue;
      const record = parseOpenTaskRun(unchecked.value, '', (part) => list.add(part));
      if (!record) continue;
      yield markSuspectedErrors({ ...record, callCounts: countCalls(record.calls) });
    }
  }
}
