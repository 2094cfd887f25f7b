import { constants } from 'node:buffer';
import { LeftOutList, type LeftOutParts } from '../journal/left-out.js';
import { journalOpenTaskRuns } from './journal-open-task-runs.js';
import { type JournalSurvey, surveyJournal } from './journal-survey.js';
import { type JournalTaskRun, journalTaskRuns } from './journal-task-runs.js';
import { LeftOutOfReadings } from './left-out-of-readings.js';
import { headerFromOwn } from './own-header.js';
import { countsOf, readOpenTaskRun, readOwnTaskRun } from './own-task-run.js';
import { UnreadableResults } from './results-errors.js';
import type { ReadOptions } from './results-file.js';
import { resultsHead } from './results-head.js';
import type { ResultsHeader } from './results-header.js';
import { withSuspectedErrors } from './suspected-errors.js';
import type { TaskRunRecord, TaskRunSoFar } from './task-run-record.js';
import { totalsOf } from './totals.js';

/** A task run, the JSON of it, and what only a journal tells. */
interface ReadTaskRun {
  record: TaskRunRecord;
  text: string;
  random: JournalTaskRun['random'];
}

/** The journal of a check, which may still go on: it is read as it was when it was opened. */
export class ResultsJournal {
  readonly #path: string;
  readonly #survey: JournalSurvey;
  readonly #leftOut = new LeftOutOfReadings();

  private constructor(path: string, survey: JournalSurvey) {
    this.#path = path;
    this.#survey = survey;
  }

  /** Throws NotAnEvaluation, and what readJournal throws. */
  static async open(path: string): Promise<ResultsJournal> {
    try {
      return new ResultsJournal(path, await surveyJournal(path));
    } catch (error) {
      throw explainedDepth(path, error);
    }
  }

  /** Lines, members of events, and parts of task runs. */
  get leftOut(): LeftOutParts {
    return this.#leftOut.besides(this.#survey.leftOut);
  }

  get header(): ResultsHeader {
    const { counted, planned, open } = this.#survey;
    try {
      const head = resultsHead(this.#survey, '', totalsOf([...counted.values()], planned));
      const list = this.#leftOut.header();
      return headerFromOwn(JSON.parse(`${head}]}`), 'journal', (part) => list.add(part), open);
    } catch (error) {
      throw explainedDepth(this.#path, error);
    }
  }

  async *taskRuns(options: ReadOptions): AsyncGenerator<ReadTaskRun> {
    const list = this.#leftOut.reading();
    try {
      for await (const each of journalTaskRuns(this.#path, this.#survey, options)) {
        const text = await joinedText(each.pieces).catch((error: unknown) => {
          const found = unreadableReason(error);
          list.add({ place: each.name, expected: 'a task run that can be read', found });
        });
        if (text === undefined) continue;
        // A journal is as foreign as results are: an outcome that is none would not be counted.
        const record = readOwnTaskRun(JSON.parse(text), each.name, (part) => list.add(part));
        if (record) yield { record, text, random: each.random };
      }
    } catch (error) {
      throw explainedDepth(this.#path, error);
    }
  }

  async *openTaskRuns(): AsyncGenerator<TaskRunSoFar> {
    // Parts of these are named when they have ended.
    const list = new LeftOutList();
    try {
      for await (const pieces of journalOpenTaskRuns(this.#path, this.#survey)) {
        const value: unknown = JSON.parse(await joinedText(pieces));
        const record = readOpenTaskRun(value, '', (part) => list.add(part));
        if (!record) continue;
        yield withSuspectedErrors({ ...record, callCounts: countsOf(record.calls) });
      }
    } catch (error) {
      throw explainedDepth(this.#path, error);
    }
  }
}

class TooLarge extends Error {}

/** Throws if it is more than one text can hold. */
export async function joinedText(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) {
    if (text.length + piece.length > constants.MAX_STRING_LENGTH) throw new TooLarge();
    text += piece;
  }
  return text;
}

/** Why a task run cannot be put together. Throws what it does not know. */
export function unreadableReason(error: unknown): string {
  if (error instanceof TooLarge) return 'one that is too large';
  if (error instanceof RangeError) return 'one that is nested too deep';
  throw error;
}

/** Only what servers said is kept as text: the rest has to be written, which no depth allows. */
export function explainedDepth(path: string, error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return UnreadableResults.damaged(path, 'something in it is nested too deep');
}
