import { constants } from 'node:buffer';
import { LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import { type JournalSurvey, surveyJournal } from '../journal/journal-survey.js';
import {
  type JournalTaskRun,
  readJournalTaskRuns,
  readOpenTaskRuns,
} from '../journal/journal-task-runs.js';
import { UnreadableResultsError } from '../results-errors.js';
import { LeftOutByReading, type ReadOptions } from '../results-file.js';
import type { ResultsHeader } from '../results-header.js';
import { markSuspectedErrors } from '../suspected-errors.js';
import type { TaskRunRecord, TaskRunSoFar } from '../task-run-record.js';
import { computeTotals } from '../write/totals.js';
import { formatResultsHead } from '../write/write-results.js';
import { parseHeader } from './header-parser.js';
import { countCalls, parseOpenTaskRun, parseTaskRun } from './task-run-parser.js';

/** A task run with its JSON, and with the random values that only a journal has. */
interface ReadTaskRun {
  record: TaskRunRecord;
  text: string;
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
    try {
      return new ResultsJournal(path, await surveyJournal(path));
    } catch (error) {
      throw explainDepthError(path, error);
    }
  }

  /** All that was left out: lines, members of events, and parts of task runs. */
  get leftOut(): LeftOutParts {
    return this.#leftOut.joinWith(this.#survey.leftOut);
  }

  get header(): ResultsHeader {
    const { counted, planned, open } = this.#survey;
    try {
      const head = formatResultsHead(
        this.#survey,
        '',
        computeTotals([...counted.values()], planned),
      );
      const list = this.#leftOut.header();
      return parseHeader(JSON.parse(`${head}]}`), 'journal', (part) => list.add(part), open);
    } catch (error) {
      throw explainDepthError(this.#path, error);
    }
  }

  async *taskRuns(options: ReadOptions): AsyncGenerator<ReadTaskRun> {
    const list = this.#leftOut.reading();
    try {
      for await (const { name, pieces, random } of readJournalTaskRuns(
        this.#path,
        this.#survey,
        options,
      )) {
        const text = await joinText(pieces).catch((error: unknown) => {
          const found = explainUnreadable(error);
          list.add({ place: name, expected: 'a task run that can be read', found });
        });
        if (text === undefined) continue;
        // A journal is checked like any file: an unknown outcome would not be counted.
        const record = parseTaskRun(JSON.parse(text), name, (part) => list.add(part));
        if (record) yield { record, text, random };
      }
    } catch (error) {
      throw explainDepthError(this.#path, error);
    }
  }

  async *openTaskRuns(): AsyncGenerator<TaskRunSoFar> {
    // What is left out of these is reported after they have ended.
    const list = new LeftOutList();
    try {
      for await (const pieces of readOpenTaskRuns(this.#path, this.#survey)) {
        const value: unknown = JSON.parse(await joinText(pieces));
        const record = parseOpenTaskRun(value, '', (part) => list.add(part));
        if (!record) continue;
        yield markSuspectedErrors({ ...record, callCounts: countCalls(record.calls) });
      }
    } catch (error) {
      throw explainDepthError(this.#path, error);
    }
  }
}

class TooLargeError extends Error {}

/** Joins pieces to one text. Throws if they exceed the length of a string. */
export async function joinText(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) {
    if (text.length + piece.length > constants.MAX_STRING_LENGTH) throw new TooLargeError();
    text += piece;
  }
  return text;
}

/** Why a task run cannot be read. Rethrows unexpected errors. */
export function explainUnreadable(error: unknown): string {
  if (error instanceof TooLargeError) return 'one that is too large';
  if (error instanceof RangeError) return 'one that is nested too deep';
  throw error;
}

/** Explains a stack overflow: JSON.stringify cannot write values nested thousands of levels deep. */
export function explainDepthError(path: string, error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return UnreadableResultsError.damaged(path, 'something in it is nested too deep');
}
