import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { truncate } from '../../base/text.js';
import { isNewerSchema } from '../../journal/journal-reader.js';
import { describeFound, LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import { repairValue } from '../../journal/repair.js';
import { journalSchema } from '../../journal/run-events.js';
import { buildMcpcheckerHeader, mcpcheckerSummarySchema } from '../mcpchecker/header.js';
import { FreeRunNumbers, readMcpcheckerTaskRun } from '../mcpchecker/task-run.js';
import { UnreadableResultsError } from '../results-errors.js';
import { LeftOutByReading } from '../results-file.js';
import type { ResultsHeader } from '../results-header.js';
import { resultsSchemaName } from '../schema/results-schema.js';
import { markSuspectedErrors } from '../suspected-errors.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { isCompleteHeader, ownHeaderKeys, parseHeader } from './header-parser.js';
import {
  type BytePlace,
  type JsonPart,
  JsonSplitter,
  MalformedJsonError,
} from './json-splitter.js';
import { disputedReason, dropVerdict, parseTaskRun } from './task-run-parser.js';

/** A task run, with the text that it was parsed from and the place of that text. */
export interface ReadTaskRun {
  record: TaskRunRecord;
  text: string;
  place: BytePlace;
  kind: 'own' | 'mcpchecker';
  /** Malformed parts were left out: the record has less than the text. */
  isMended: boolean;
  /** The file has it again with another verdict, so it counts as not judged. */
  isDisputed: boolean;
}

const chunkSize = 256 * 1024;
const lists = { own: 'taskRuns', mcpchecker: 'results' } as const;

/** A file that is one JSON document: results of Proctor, or of mcpchecker. */
export class ResultsDocument {
  readonly #path: string;
  readonly #leftOut = new LeftOutByReading();
  /** What the results say was left out when they were made from a damaged journal. */
  #leftOutBefore: LeftOutParts = { count: 0, parts: [] };
  /** Number of lost task runs in the reading that got furthest. */
  #lostTaskRuns = 0;
  #disputed: Promise<DisputedTaskRuns> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get leftOut(): LeftOutParts {
    return this.#leftOut.joinWith(this.#leftOutBefore);
  }

  get lostTaskRuns(): number {
    return this.#lostTaskRuns;
  }

  /** Reads the header, and no further: it is written before the task runs. */
  async header(): Promise<ResultsHeader> {
    const list = this.#leftOut.startHeader();
    // What is malformed in the task runs is collected when these are read.
    const reading = new Reading(this.#path, new LeftOutList());
    const members = new Map<string, unknown>();
    for await (const part of reading.parts()) {
      const { key, index, text } = part;
      if (index === undefined && isHeaderKey(key)) members.set(key, reading.parse(key, text));
      const isMcpcheckers = reading.kind === 'mcpchecker';
      if (isMcpcheckers && (key === '' || members.has('summary'))) break;
      if (reading.kind === 'own' && isCompleteHeader(members)) break;
    }
    if (reading.kindOrThrow() === 'mcpchecker') {
      const summary = members.get('summary');
      const onLeftOut: LeftOutList['add'] = (part) => list.add(part);
      const isFit = repairValue(mcpcheckerSummarySchema, summary, { place: 'summary', onLeftOut });
      return buildMcpcheckerHeader(isFit ? summary : undefined);
    }
    const header = parseHeader(Object.fromEntries(members), 'results', (part) => list.add(part));
    const { leftOut } = Object.fromEntries(members);
    if (leftOut !== undefined) this.#leftOutBefore = leftOut as LeftOutParts;
    return header;
  }

  /** Reads the task runs, one in memory at a time; `member` is called with the other members. */
  async *taskRuns(
    member: (key: string, text: string) => void = () => {},
  ): AsyncGenerator<ReadTaskRun> {
    const list = this.#leftOut.startReading();
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

/** Finds task runs with two verdicts, before these are read: the first would count before the second is seen. */
async function findDisputed(path: string): Promise<DisputedTaskRuns> {
  const disputed = new DisputedTaskRuns();
  for await (const { key, index, text } of new Reading(path, new LeftOutList()).parts()) {
    if (key !== lists.own || index === undefined) continue;
    const record = parseTaskRun(parseJsonOrUndefined(text), '', () => {});
    if (record) disputed.see(record);
  }
  disputed.end();
  return disputed;
}

/** One reading of the document. */
class Reading {
  readonly #path: string;
  readonly #leftOut: LeftOutList;
  readonly #numbers = new FreeRunNumbers();
  readonly #seen = new SeenTaskRuns();
  readonly #disputed: DisputedTaskRuns | undefined;
  readonly #splitter = new JsonSplitter(new Set(Object.values(lists)));
  #schema: unknown;
  /** The kind of the task runs that were found. */
  #list: keyof typeof lists | undefined;
  /** Latest entry of the list of task runs. */
  #entry: Pick<JsonPart, 'key' | 'index'> | undefined;
  /** Invalid JSON follows after some task runs: nothing behind it can be read. */
  isCutOff = false;

  constructor(path: string, leftOut: LeftOutList, disputed?: DisputedTaskRuns) {
    this.#path = path;
    this.#leftOut = leftOut;
    this.#disputed = disputed;
  }

  /** Whether these are results of Proctor or of mcpchecker, as soon as that is known. */
  get kind(): keyof typeof lists | undefined {
    return this.#schema === resultsSchemaName ? 'own' : this.#list;
  }

  async *parts(): AsyncGenerator<JsonPart> {
    const file = await open(this.#path, 'r');
    try {
      for await (const part of this.#split(file)) {
        this.#inspect(part);
        yield part;
      }
    } catch (error) {
      if (!(error instanceof MalformedJsonError)) throw error;
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
        throw UnreadableResultsError.notResults(this.#path, `invalid JSON: ${error.message}`);
      }
      throw UnreadableResultsError.damaged(this.#path, `it is not valid JSON: ${error.message}`);
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

  /** Learns from a part what kind of file it is. Throws as early as possible, as files can be long. */
  #inspect({ key, index, text }: JsonPart): void {
    if (index !== undefined) {
      this.#entry = { key, index };
      if (key === lists.own) this.#list = 'own';
      else if (this.#list === undefined && looksLikeMcpchecker(parseJsonOrUndefined(text))) {
        this.#list = 'mcpchecker';
      } else if (this.#list === undefined && index >= maxOddEntries) this.kindOrThrow();
    } else if (key === 'schema') {
      this.#schema = this.parse(key, text);
      const schema = this.#schema;
      if (typeof schema === 'string' && schema !== resultsSchemaName) {
        if (isNewerSchema(schema, resultsSchemaName))
          throw UnreadableResultsError.newer(this.#path, schema.slice(0, 100));
        if (schema === journalSchema) throw UnreadableResultsError.reformattedJournal(this.#path);
        throw UnreadableResultsError.notResults(this.#path, schema.slice(0, 100));
      }
    } else if (key === lists.own) {
      this.#list = 'own';
      this.#leaveOut(key, 'a list', this.parse(key, text));
    } else if (key === lists.mcpchecker && text.trim() === 'null') {
      // Go writes null for an empty list: a run without tasks.
      this.#list ??= 'mcpchecker';
    }
  }

  #leaveOut(place: string, expected: string, value: unknown): void {
    this.#leftOut.add({ place, expected, found: describeFound(value) });
  }

  taskRun({ key, text, place: bytes }: JsonPart, place: string): ReadTaskRun | undefined {
    const value = this.parse(place, text);
    if (value === undefined) return undefined;
    const { count } = this.#leftOut;
    const onLeftOut: LeftOutList['add'] = (part) => this.#leftOut.add(part);
    if (key === lists.own) {
      const record = parseTaskRun(value, place, onLeftOut);
      if (!record) return undefined;
      if (!this.#seen.addIfNew(record)) {
        const { task, run } = record;
        const found = `run ${run} of ${truncate(task, 100)} once more`;
        onLeftOut({ place, expected: 'another task run', found });
        return undefined;
      }
      const isDisputed = this.#disputed?.has(record) === true;
      if (isDisputed) {
        dropVerdict(record);
        onLeftOut({ place: `${place}.outcome`, expected: 'one outcome', found: disputedReason });
      }
      const isMended = this.#leftOut.count > count;
      const read = { text, place: bytes, kind: 'own', isMended, isDisputed } as const;
      return { record: markSuspectedErrors(record), ...read };
    }
    const read = readMcpcheckerTaskRun(value, place, this.#numbers, onLeftOut);
    if (!read) return undefined;
    const record = markSuspectedErrors(read);
    const isMended = this.#leftOut.count > count;
    return { record, text, place: bytes, kind: 'mcpchecker', isMended, isDisputed: false };
  }

  /** Parses a value; undefined, and left out, if it is invalid JSON. */
  parse(place: string, text: string): unknown {
    const value = parseJsonOrUndefined(text);
    if (value === undefined) this.#leaveOut(place, 'JSON', text);
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
    throw UnreadableResultsError.notResults(this.#path, found);
  }

  /** Throws if there is nothing that results have. */
  end(): void {
    if (this.kindOrThrow() === 'own') {
      if (this.#schema !== resultsSchemaName) {
        this.#leaveOut('schema', JSON.stringify(resultsSchemaName), this.#schema);
      }
      if (this.#list === undefined) this.#leaveOut(lists.own, 'a list', undefined);
    }
  }
}

/** Unknown entries that are skipped before the first that shows the kind of results. */
const maxOddEntries = 100;

function looksLikeMcpchecker(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'taskName' in value;
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHeaderKey(key: string): boolean {
  return key === 'summary' || ownHeaderKeys.includes(key);
}

type Identity = Pick<TaskRunRecord, 'task' | 'variant' | 'run' | 'from'>;

/** Remembers the task runs of a file, by digests, as names can be of any length. */
class SeenTaskRuns {
  readonly #keys = new Set<string>();

  /** Adds a task run. False if it is there already: by its number here, or by its number in its own run. */
  addIfNew(taskRun: Identity): boolean {
    const before = this.#keys.size;
    const keys = makeIdentityKeys(taskRun);
    for (const key of keys) this.#keys.add(key);
    return this.#keys.size === before + keys.length;
  }
}

type Verdict = Pick<TaskRunRecord, 'outcome' | 'verified' | 'assertionsHeld' | 'assertions'>;

/** Finds the task runs that a file has more than once, with different verdicts. */
class DisputedTaskRuns {
  readonly #verdicts = new Map<string, string>();
  readonly #keys = new Set<string>();

  see(record: Identity & Verdict): void {
    const { outcome, verified, assertionsHeld, assertions } = record;
    const broken = assertions.filter(({ passed }) => !passed).map(({ name }) => name);
    const verdict = digest([outcome, verified, assertionsHeld, ...broken]);
    for (const key of makeIdentityKeys(record)) {
      const before = this.#verdicts.get(key);
      if (before === undefined) this.#verdicts.set(key, verdict);
      else if (before !== verdict) this.#keys.add(key);
    }
  }

  /** Frees memory after all task runs were seen. */
  end(): void {
    this.#verdicts.clear();
  }

  has(record: Identity): boolean {
    return this.#keys.size > 0 && makeIdentityKeys(record).some((key) => this.#keys.has(key));
  }
}

function makeIdentityKeys({ task, variant, run, from }: Identity): string[] {
  const key = digest([task, variant, run]);
  return from ? [key, digest([task, variant, from.run, from.id])] : [key];
}

/** A digest of 16 bytes: short, as there may be hundreds of thousands, and still without collisions. */
function digest(parts: readonly (string | number | boolean | null)[]): string {
  return hash('sha256', JSON.stringify(parts), 'buffer').toString('latin1', 0, 16);
}
