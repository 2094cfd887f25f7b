import { constants } from 'node:buffer';
import { journalOpenTaskRuns } from './journal-open-task-runs.js';
import { type JournalSurvey, surveyJournal } from './journal-survey.js';
import { type JournalTaskRun, journalTaskRuns } from './journal-task-runs.js';
import { headerFromOwn, ownHeaderSchema } from './own-header.js';
import { UnreadableResults } from './results-errors.js';
import type { ReadOptions } from './results-file.js';
import { resultsHead } from './results-head.js';
import type { ResultsHeader } from './results-header.js';
import type { TaskRunRecord, TaskRunSoFar } from './task-run-record.js';
import { openTaskRunSchema, taskRunSchema } from './task-run-schema.js';
import { totalsOf } from './totals.js';
import { assertValidAt, validAt } from './valid-at.js';

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

  private constructor(path: string, survey: JournalSurvey) {
    this.#path = path;
    this.#survey = survey;
  }

  /** Throws NotAnEvaluation, and what readJournal throws. */
  static async open(path: string): Promise<ResultsJournal> {
    try {
      return new ResultsJournal(path, await surveyJournal(path));
    } catch (error) {
      throw explained(path, error);
    }
  }

  get header(): ResultsHeader {
    const { counted, planned, open } = this.#survey;
    try {
      const head = resultsHead(this.#survey, '', totalsOf([...counted.values()], planned));
      const members = validAt(this.#path, '', ownHeaderSchema, JSON.parse(`${head}]}`));
      return headerFromOwn(members, 'journal', open);
    } catch (error) {
      throw explained(this.#path, error);
    }
  }

  async *taskRuns(options: ReadOptions): AsyncGenerator<ReadTaskRun> {
    try {
      for await (const { random, pieces } of journalTaskRuns(this.#path, this.#survey, options)) {
        const text = await this.#textOf(pieces);
        const record: unknown = JSON.parse(text);
        // A journal is as foreign as results are: an outcome that is none would not be counted.
        assertValidAt(this.#path, 'a task run', taskRunSchema, record);
        yield { record, text, random };
      }
    } catch (error) {
      throw explained(this.#path, error);
    }
  }

  async *openTaskRuns(): AsyncGenerator<TaskRunSoFar> {
    try {
      for await (const pieces of journalOpenTaskRuns(this.#path, this.#survey)) {
        const record: unknown = JSON.parse(await this.#textOf(pieces));
        assertValidAt(this.#path, 'a task run', openTaskRunSchema, record);
        yield { ...record, callCounts: countsOf(record.calls) };
      }
    } catch (error) {
      throw explained(this.#path, error);
    }
  }

  async #textOf(pieces: AsyncIterable<string>): Promise<string> {
    let text = '';
    for await (const piece of pieces) {
      if (text.length + piece.length > constants.MAX_STRING_LENGTH) {
        throw UnreadableResults.damaged(this.#path, 'a task run is too large to be read');
      }
      text += piece;
    }
    return text;
  }
}

/** Only its end would tell them. */
function countsOf(calls: TaskRunSoFar['calls']): TaskRunSoFar['callCounts'] {
  const counts = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
  for (const { kind, isError, tokens } of calls) {
    counts[kind] += 1;
    if (isError) counts.errors += 1;
    counts.tokens += (tokens?.args ?? 0) + (tokens?.result ?? 0);
  }
  return counts;
}

/** Only what servers said is kept as text: the rest has to be written, which no depth allows. */
function explained(path: string, error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return UnreadableResults.damaged(path, 'something in it is nested too deep');
}
