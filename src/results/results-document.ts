import { type FileHandle, open } from 'node:fs/promises';
import { truncate } from '../base/text.js';
import { isNewerSchema } from '../journal/journal-reader.js';
import { describeFound, LeftOutList, type LeftOutParts } from '../journal/left-out.js';
import { repairValue } from '../journal/repair.js';
import { type BytePlace, type JsonPart, JsonSplitter, MalformedJson } from './json-splitter.js';
import { LeftOutOfReadings } from './left-out-of-readings.js';
import { FreeRunNumbers } from './mcpchecker/free-run-numbers.js';
import { headerFromMcpchecker, mcpcheckerSummarySchema } from './mcpchecker/header.js';
import { readMcpcheckerTaskRun } from './mcpchecker/task-run-record.js';
import { headerFromOwn, isWholeHeader, ownHeaderKeys } from './own-header.js';
import { readOwnTaskRun, toldDifferently, withoutVerdict } from './own-task-run.js';
import { UnreadableResults } from './results-errors.js';
import type { ResultsHeader } from './results-header.js';
import { resultsSchemaName } from './results-schema.js';
import { DisputedTaskRuns, SeenTaskRuns } from './seen-task-runs.js';
import { withSuspectedErrors } from './suspected-errors.js';
import type { TaskRunRecord } from './task-run-record.js';

/** A task run, the text that it was parsed from, and where that stands. */
export interface ReadTaskRun {
  record: TaskRunRecord;
  text: string;
  place: BytePlace;
  kind: 'own' | 'mcpchecker';
  /** Some of it was left out: the record says less than the text. */
  isMended: boolean;
  /** It stands there once more, with another verdict: it counts as not judged. */
  isDisputed: boolean;
}

const chunkSize = 256 * 1024;
const lists = { own: 'taskRuns', mcpchecker: 'results' } as const;

/** A file that is one JSON document: results of ours, or of mcpchecker. */
export class ResultsDocument {
  readonly #path: string;
  readonly #leftOut = new LeftOutOfReadings();
  /** What the results themselves say: they were made from a damaged journal. */
  #leftOutBefore: LeftOutParts = { count: 0, parts: [] };
  /** Of the reading that came furthest. */
  #lostTaskRuns = 0;
  #disputed: Promise<DisputedTaskRuns> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get leftOut(): LeftOutParts {
    return this.#leftOut.besides(this.#leftOutBefore);
  }

  get lostTaskRuns(): number {
    return this.#lostTaskRuns;
  }

  /** Reads no further than it has to: we write it before the task runs. */
  async header(): Promise<ResultsHeader> {
    const list = this.#leftOut.header();
    // What is odd besides is named by whoever reads the task runs.
    const reading = new Reading(this.#path, new LeftOutList());
    const members = new Map<string, unknown>();
    for await (const part of reading.parts()) {
      const { key, index, text } = part;
      if (index === undefined && isOfHeader(key)) members.set(key, reading.parsed(key, text));
      const isMcpcheckers = reading.kind === 'mcpchecker';
      if (isMcpcheckers && (key === '' || members.has('summary'))) break;
      if (reading.kind === 'own' && isWholeHeader(members)) break;
    }
    if (reading.kindOrThrow() === 'mcpchecker') {
      const summary = members.get('summary');
      const onLeftOut: LeftOutList['add'] = (part) => list.add(part);
      const isFit = repairValue(mcpcheckerSummarySchema, summary, { place: 'summary', onLeftOut });
      return headerFromMcpchecker(isFit ? summary : undefined);
    }
    const header = headerFromOwn(Object.fromEntries(members), 'results', (part) => list.add(part));
    const { leftOut } = Object.fromEntries(members);
    if (leftOut !== undefined) this.#leftOutBefore = leftOut as LeftOutParts;
    return header;
  }

  /** One in memory at a time. Whoever wants to know is told of the members besides. */
  async *taskRuns(
    member: (key: string, text: string) => void = () => {},
  ): AsyncGenerator<ReadTaskRun> {
    const list = this.#leftOut.reading();
    this.#disputed ??= findDisputed(this.#path);
    const reading = new Reading(this.#path, list, await this.#disputed);
    let lost = 0;
    for await (const part of reading.parts()) {
      if (part.index === undefined) {
        member(part.key, part.text);
        continue;
      }
      const taskRun = reading.taskRun(part, `${part.key}[${part.index}]`);
      if (taskRun) yield taskRun;
      else lost += 1;
      this.#lostTaskRuns = Math.max(this.#lostTaskRuns, lost);
    }
    if (reading.isCutOff) this.#lostTaskRuns = Math.max(this.#lostTaskRuns, lost + 1);
    reading.end();
  }
}

/** Reads it once before: of two verdicts on one task run, the first would count before the other is seen. */
async function findDisputed(path: string): Promise<DisputedTaskRuns> {
  const disputed = new DisputedTaskRuns();
  for await (const { key, index, text } of new Reading(path, new LeftOutList()).parts()) {
    if (key !== lists.own || index === undefined) continue;
    const record = readOwnTaskRun(parsedOrNot(text), '', () => {});
    if (record) disputed.see(record);
  }
  disputed.end();
  return disputed;
}

/** One way through the document. */
class Reading {
  readonly #path: string;
  readonly #leftOut: LeftOutList;
  readonly #numbers = new FreeRunNumbers();
  readonly #seen = new SeenTaskRuns();
  readonly #disputed: DisputedTaskRuns | undefined;
  readonly #splitter = new JsonSplitter(new Set(Object.values(lists)));
  #schema: unknown;
  /** Whose task runs are listed. */
  #list: keyof typeof lists | undefined;
  /** Its latest entry. */
  #entry: Pick<JsonPart, 'key' | 'index'> | undefined;
  /** There are task runs, and then something that is no JSON: nothing behind them can be read. */
  isCutOff = false;

  constructor(path: string, leftOut: LeftOutList, disputed?: DisputedTaskRuns) {
    this.#path = path;
    this.#leftOut = leftOut;
    this.#disputed = disputed;
  }

  /** Whose results they are, as soon as that is known. */
  get kind(): keyof typeof lists | undefined {
    return this.#schema === resultsSchemaName ? 'own' : this.#list;
  }

  async *parts(): AsyncGenerator<JsonPart> {
    const file = await open(this.#path, 'r');
    try {
      for await (const part of this.#split(file)) {
        this.#look(part);
        yield part;
      }
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error;
      if (this.kind !== undefined && this.#entry !== undefined) {
        const { key, index } = this.#entry;
        this.isCutOff = true;
        this.#leftOut.add({
          place: `after ${key}[${index}]`,
          expected: 'JSON',
          found: error.message,
        });
        return;
      }
      if (this.kind === undefined) {
        throw UnreadableResults.notResults(this.#path, `no valid JSON: ${error.message}`);
      }
      throw UnreadableResults.damaged(this.#path, `it is not valid JSON: ${error.message}`);
    } finally {
      await file.close();
    }
  }

  async *#split(file: FileHandle): AsyncGenerator<JsonPart> {
    const chunk = Buffer.allocUnsafe(chunkSize);
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      yield* this.#splitter.push(chunk.subarray(0, bytesRead));
    }
    this.#splitter.end();
  }

  /** Told at once where it can be: such a file can be long. */
  #look({ key, index, text }: JsonPart): void {
    if (index !== undefined) {
      this.#entry = { key, index };
      if (key === lists.own) this.#list = 'own';
      else if (this.#list === undefined && looksLikeMcpchecker(parsedOrNot(text))) {
        this.#list = 'mcpchecker';
      } else if (this.#list === undefined && index >= mostOddEntries) this.kindOrThrow();
    } else if (key === 'schema') {
      this.#schema = this.parsed(key, text);
      const schema = this.#schema;
      if (typeof schema === 'string' && schema !== resultsSchemaName) {
        if (isNewerSchema(schema, resultsSchemaName))
          throw UnreadableResults.newer(this.#path, schema.slice(0, 100));
        throw UnreadableResults.notResults(this.#path, schema.slice(0, 100));
      }
    } else if (key === lists.own) {
      this.#list = 'own';
      this.#isOdd(key, 'a list', this.parsed(key, text));
    } else if (key === lists.mcpchecker && text.trim() === 'null') {
      // What Go writes for a list that it never began: a run without tasks.
      this.#list ??= 'mcpchecker';
    }
  }

  #isOdd(place: string, expected: string, value: unknown): void {
    this.#leftOut.add({ place, expected, found: describeFound(value) });
  }

  taskRun({ key, text, place: bytes }: JsonPart, place: string): ReadTaskRun | undefined {
    const value = this.parsed(place, text);
    if (value === undefined) return undefined;
    const { count } = this.#leftOut;
    const onLeftOut: LeftOutList['add'] = (part) => this.#leftOut.add(part);
    if (key === lists.own) {
      const record = readOwnTaskRun(value, place, onLeftOut);
      if (!record) return undefined;
      if (!this.#seen.isNew(record)) {
        const { task, run } = record;
        const found = `run ${run} of ${truncate(task, 100)} once more`;
        onLeftOut({ place, expected: 'another task run', found });
        return undefined;
      }
      const isDisputed = this.#disputed?.has(record) === true;
      if (isDisputed) {
        withoutVerdict(record);
        onLeftOut({ place: `${place}.outcome`, expected: 'one outcome', found: toldDifferently });
      }
      const isMended = this.#leftOut.count > count;
      const read = { text, place: bytes, kind: 'own', isMended, isDisputed } as const;
      return { record: withSuspectedErrors(record), ...read };
    }
    const read = readMcpcheckerTaskRun(value, place, this.#numbers, onLeftOut);
    if (!read) return undefined;
    const record = withSuspectedErrors(read);
    const isMended = this.#leftOut.count > count;
    return { record, text, place: bytes, kind: 'mcpchecker', isMended, isDisputed: false };
  }

  /** Undefined, and left out, if it is no JSON. */
  parsed(place: string, text: string): unknown {
    const value = parsedOrNot(text);
    if (value === undefined) this.#isOdd(place, 'JSON', text);
    return value;
  }

  kindOrThrow(): keyof typeof lists {
    if (this.#splitter.lists.has(lists.own)) this.#list = 'own';
    else if (this.#entry === undefined && this.#splitter.lists.has(lists.mcpchecker))
      this.#list = 'mcpchecker';
    const { kind } = this;
    if (kind !== undefined) return kind;
    const found =
      this.#entry !== undefined ? 'a list of something else' : 'JSON that lists no task runs';
    throw UnreadableResults.notResults(this.#path, found);
  }

  /** Throws if there is nothing that results have. */
  end(): void {
    if (this.kindOrThrow() === 'own') {
      if (this.#schema !== resultsSchemaName) {
        this.#isOdd('schema', JSON.stringify(resultsSchemaName), this.#schema);
      }
      if (this.#list === undefined) this.#isOdd(lists.own, 'a list', undefined);
    }
  }
}

/** In front of the first entry that tells whose results they are. */
const mostOddEntries = 100;

function looksLikeMcpchecker(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'taskName' in value;
}

function parsedOrNot(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOfHeader(key: string): boolean {
  return key === 'summary' || ownHeaderKeys.includes(key);
}
