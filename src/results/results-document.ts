import { type FileHandle, open } from 'node:fs/promises';
import { cutText } from '../agents/cut-text.js';
import { isNewerSchema } from '../events/newer-schema.js';
import { type BytePlace, type JsonPart, JsonSplitter, MalformedJson } from './json-splitter.js';
import { FreeRunNumbers } from './mcpchecker/free-run-numbers.js';
import { headerFromMcpchecker, mcpcheckerSummarySchema } from './mcpchecker/header.js';
import { recordFromMcpchecker } from './mcpchecker/task-run-record.js';
import { mcpcheckerTaskRunSchema } from './mcpchecker/task-run-schema.js';
import { headerFromOwn, isWholeHeader, ownHeaderKeys, ownHeaderSchema } from './own-header.js';
import { UnreadableResults } from './results-errors.js';
import type { ResultsHeader } from './results-header.js';
import { resultsSchemaName } from './results-schema.js';
import { SeenTaskRuns } from './seen-task-runs.js';
import type { TaskRunRecord } from './task-run-record.js';
import { taskRunSchema } from './task-run-schema.js';
import { assertValidAt, validAt } from './valid-at.js';

/** A task run, the text that it was parsed from, and where that stands. */
export interface ReadTaskRun {
  record: TaskRunRecord;
  text: string;
  place: BytePlace;
  kind: 'own' | 'mcpchecker';
}

const chunkSize = 256 * 1024;
const lists = { own: 'taskRuns', mcpchecker: 'results' } as const;

/** A file that is one JSON document: results of ours, or of mcpchecker. */
export class ResultsDocument {
  readonly #path: string;
  readonly #numbers = new FreeRunNumbers();
  readonly #seen = new SeenTaskRuns();
  #schema: unknown;
  #hasTaskRuns = false;
  #hasOwn = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads no further than it has to: we write it before the task runs. */
  async header(): Promise<ResultsHeader> {
    const members = new Map<string, unknown>();
    for await (const { key, index, text } of this.#parts()) {
      if (index !== undefined) this.#sawTaskRun(key, index, text);
      else if (isOfHeader(key)) members.set(key, this.#parsed(key, text));
      if (key === 'schema' && index === undefined) this.#checkSchema();
      const isMcpcheckers = this.#hasTaskRuns && !this.#hasOwn;
      if (isMcpcheckers && (key === '' || members.has('summary'))) break;
      if (this.#schema !== undefined && isWholeHeader(members)) break;
    }
    this.#checkSchema();
    if (this.#schema === undefined) {
      const summary = validAt(
        this.#path,
        'summary',
        mcpcheckerSummarySchema,
        members.get('summary'),
      );
      return headerFromMcpchecker(summary);
    }
    const own = validAt(this.#path, '', ownHeaderSchema, Object.fromEntries(members));
    return headerFromOwn(own, 'results');
  }

  /** One in memory at a time. Whoever wants to know is told of the members besides. */
  async *taskRuns(
    member: (key: string, text: string) => void = () => {},
  ): AsyncGenerator<ReadTaskRun> {
    for await (const part of this.#parts()) {
      if (part.index !== undefined) {
        yield this.#taskRun(part, `${part.key}[${part.index}]`);
        continue;
      }
      if (part.key === 'schema') this.#checkSchema();
      member(part.key, part.text);
    }
    this.#checkSchema();
  }

  async *#parts(): AsyncGenerator<JsonPart> {
    const file = await open(this.#path, 'r');
    try {
      for await (const part of partsOf(file)) {
        if (part.key === 'schema' && part.index === undefined) {
          this.#schema = this.#parsed('schema', part.text);
        }
        yield part;
      }
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error;
      if (this.#schema === undefined && !this.#hasTaskRuns) {
        throw UnreadableResults.notResults(this.#path, `no valid JSON: ${error.message}`);
      }
      throw UnreadableResults.damaged(this.#path, `it is not valid JSON: ${error.message}`);
    } finally {
      await file.close();
    }
  }

  #sawTaskRun(key: string, index: number, text: string): void {
    if (key === lists.own) this.#hasOwn = true;
    else if (index === 0) this.#checkMcpchecker(this.#parsed(`${key}[0]`, text));
    this.#hasTaskRuns = true;
  }

  #taskRun({ key, index, text, place }: JsonPart, name: string): ReadTaskRun {
    const value = this.#parsed(name, text);
    this.#hasTaskRuns = true;
    if (key === lists.own) {
      this.#hasOwn = true;
      assertValidAt(this.#path, name, taskRunSchema, value);
      if (!this.#seen.isNew(value)) throw this.#toldTwice(value);
      return { record: value, text, place, kind: 'own' };
    }
    if (index === 0) this.#checkMcpchecker(value);
    const result = validAt(this.#path, name, mcpcheckerTaskRunSchema, value);
    return { record: recordFromMcpchecker(result, this.#numbers), text, place, kind: 'mcpchecker' };
  }

  /** Nothing of ours writes that, and it would count twice. */
  #toldTwice({ task, run }: TaskRunRecord): UnreadableResults {
    const reason = `task ${cutText(task, 100)}, run ${run} is there twice`;
    return UnreadableResults.damaged(this.#path, reason);
  }

  /** The first element tells whether it is mcpchecker's at all. */
  #checkMcpchecker(value: unknown): void {
    if (typeof value === 'object' && value !== null && 'taskName' in value) return;
    throw UnreadableResults.notResults(this.#path, 'a list of something else');
  }

  #parsed(place: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw UnreadableResults.damaged(this.#path, `${place} is not valid JSON`);
    }
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

async function* partsOf(file: FileHandle): AsyncGenerator<JsonPart> {
  const splitter = new JsonSplitter(new Set(Object.values(lists)));
  const chunk = Buffer.allocUnsafe(chunkSize);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    yield* splitter.push(chunk.subarray(0, bytesRead));
  }
  splitter.end();
}

function isOfHeader(key: string): boolean {
  return key === 'summary' || ownHeaderKeys.includes(key);
}
