import { type FileHandle, open } from 'node:fs/promises';
import * as z from 'zod/mini';
import { isNewerSchema } from '../events/newer-schema.js';
import { surveyJournal } from './journal-survey.js';
import { journalTaskRuns } from './journal-task-runs.js';
import { JsonSplitter, MalformedJson } from './json-splitter.js';
import { mcpcheckerTaskRunSchema, recordedFromMcpchecker } from './mcpchecker-task-run.js';
import { recordedFromOwn } from './own-task-run.js';
import type { RecordedTaskRun } from './recorded-task-run.js';
import { UnreadableResults } from './results-errors.js';
import { resultsSchemaName } from './results-schema.js';
import { taskRunSchema } from './task-run-schema.js';

/**
 * The task runs of a file, one in memory at a time: results or a journal of ours, or results of
 * mcpchecker. Which it is, its content says. Throws UnreadableResults, NotAnEvaluation, what
 * readJournal throws, or what the file system says.
 */
export async function* readTaskRuns(path: string): AsyncGenerator<RecordedTaskRun> {
  const file = await open(path, 'r');
  try {
    if (await isJournal(file)) yield* fromJournal(path);
    else yield* new DocumentReader(path).read(file);
  } finally {
    await file.close();
  }
}

/** Its lines all begin like this; a document of JSON has its own names. */
async function isJournal(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return buffer.toString('latin1', 0, bytesRead).startsWith('{"seq":');
}

async function* fromJournal(path: string): AsyncGenerator<RecordedTaskRun> {
  const survey = await surveyJournal(path);
  const taskRuns = journalTaskRuns(path, survey, { withoutCallResults: true });
  for await (const { random, pieces } of taskRuns) {
    let text = '';
    for await (const piece of pieces) text += piece;
    // Written by the very code that describes it.
    yield recordedFromOwn(JSON.parse(text), text, random);
  }
}

const chunkSize = 256 * 1024;
const lists = { own: 'taskRuns', mcpchecker: 'results' } as const;

class DocumentReader {
  readonly #path: string;
  #schema: unknown;
  #hasTaskRuns = false;
  #hasOwn = false;

  constructor(path: string) {
    this.#path = path;
  }

  async *read(file: FileHandle): AsyncGenerator<RecordedTaskRun> {
    try {
      yield* this.#taskRuns(file);
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error;
      if (this.#schema === undefined && !this.#hasTaskRuns) {
        throw UnreadableResults.notResults(this.#path, `no valid JSON: ${error.message}`);
      }
      throw UnreadableResults.damaged(this.#path, `it is not valid JSON: ${error.message}`);
    }
  }

  async *#taskRuns(file: FileHandle): AsyncGenerator<RecordedTaskRun> {
    const splitter = new JsonSplitter(new Set(Object.values(lists)));
    const chunk = Buffer.allocUnsafe(chunkSize);
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      for (const { key, index, text } of splitter.push(chunk.subarray(0, bytesRead))) {
        if (key === 'schema' && index === undefined) this.#takeSchema(text);
        else if (index !== undefined) yield this.#taskRun(key, index, text);
      }
    }
    splitter.end();
    this.#checkSchema();
  }

  #taskRun(key: string, index: number, text: string): RecordedTaskRun {
    const place = `${key}[${index}]`;
    const value = this.#parsed(place, text);
    this.#hasTaskRuns = true;
    if (key === lists.own) {
      this.#hasOwn = true;
      return recordedFromOwn(this.#valid(taskRunSchema, place, value), text);
    }
    // The first element tells whether it is mcpchecker's at all.
    if (index === 0 && !isTaskRunOfMcpchecker(value)) {
      throw UnreadableResults.notResults(this.#path, 'a list of something else');
    }
    return recordedFromMcpchecker(this.#valid(mcpcheckerTaskRunSchema, place, value));
  }

  #parsed(place: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw UnreadableResults.damaged(this.#path, `${place} is not valid JSON`);
    }
  }

  #valid<Schema extends z.ZodMiniType>(
    schema: Schema,
    place: string,
    value: unknown,
  ): z.infer<Schema> {
    const { data, error } = z.safeParse(schema, value);
    if (!error) return data;
    const steps = error.issues[0]?.path.map((key) =>
      typeof key === 'number' ? `[${key}]` : `.${String(key)}`,
    );
    const where = `${place}${steps?.join('') ?? ''}`;
    throw UnreadableResults.damaged(this.#path, `${where} is missing, or not what it should be`);
  }

  #takeSchema(text: string): void {
    this.#schema = this.#parsed('schema', text);
    this.#checkSchema();
  }

  /** At once where it stands before the task runs, which is where we write it. */
  #checkSchema(): void {
    const schema = this.#schema;
    if (schema === resultsSchemaName) return;
    if (typeof schema === 'string') {
      if (isNewerSchema(schema, resultsSchemaName))
        throw UnreadableResults.newer(this.#path, schema.slice(0, 100));
      throw UnreadableResults.notResults(this.#path, schema.slice(0, 100));
    }
    if (this.#hasOwn) throw UnreadableResults.damaged(this.#path, 'schema is missing');
    if (!this.#hasTaskRuns) {
      throw UnreadableResults.notResults(this.#path, 'JSON that lists no task runs');
    }
  }
}

function isTaskRunOfMcpchecker(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'taskName' in value;
}
