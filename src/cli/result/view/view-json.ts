import { escapeTerminalCharacters } from '../../../base/json-text.js';
import type { RecordingFile } from '../../../results/journal/recording-file.js';
import type { PooledResults } from '../../../results/read/pooled-results.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';
import { type Output, writeWhole } from '../../terminal/output.js';
import { readOpenTaskRuns, type Selection, type Shown } from './view-options.js';

/** The records of the task runs that were asked for, as a list, one in memory at a time. */
export async function printAsJson(
  results: PooledResults,
  { isNarrow, covers, matches }: Selection,
  output: Output,
): Promise<Shown> {
  let covered = 0;
  const list = new JsonList(output);
  for await (const { taskRun } of results.taskRuns()) {
    if (covers(taskRun)) covered += 1;
    if (matches(taskRun)) await list.add(taskRun);
  }
  for await (const { taskRun } of readOpenTaskRuns(results)) {
    if (!isNarrow || !matches(taskRun)) continue;
    covered += 1;
    await list.add(taskRun);
  }
  return { covered, shown: list.end() };
}

/** Prints the sessions of recordings as a list. They have no outcome. */
export async function printRecordingsAsJson(
  recordings: readonly RecordingFile[],
  { covers }: Selection,
  output: Output,
): Promise<Shown> {
  const list = new JsonList(output);
  for (const { sessions } of recordings) {
    for await (const session of sessions()) if (covers(session)) await list.add(session);
  }
  const shown = list.end();
  return { covered: shown, shown };
}

class JsonList {
  readonly #output: Output;
  #count = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  async add(taskRun: TaskRunSoFar): Promise<void> {
    const json = escapeTerminalCharacters(stringifyDeepJson(taskRun));
    await writeWhole(this.#output, `${this.#count === 0 ? '[\n' : ',\n'}${json}`);
    this.#count += 1;
  }

  /** Gives how many there were. */
  end(): number {
    this.#output.write(this.#count === 0 ? '[]\n' : '\n]\n');
    return this.#count;
  }
}

/**
 * JSON of a value that was parsed from JSON, however deep it is nested: `JSON.stringify` gives up
 * some thousand levels down.
 */
export function stringifyDeepJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return stringifyWithStack(value);
  }
}

/** Something that is still to be written: a value, or text between values. */
type Waiting = { value: unknown } | { text: string };

function stringifyWithStack(whole: unknown): string {
  const pieces: string[] = [];
  const waiting: Waiting[] = [{ value: whole }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('text' in next) pieces.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) {
      pieces.push(JSON.stringify(next.value));
    } else waiting.push(...listParts(next.value).reverse());
  }
  return pieces.join('');
}

function listParts(value: object): Waiting[] {
  const isList = Array.isArray(value);
  const members = Object.entries(value).flatMap(([key, member], index): Waiting[] => {
    const comma = index === 0 ? '' : ',';
    return [{ text: isList ? comma : `${comma}${JSON.stringify(key)}:` }, { value: member }];
  });
  return [{ text: isList ? '[' : '{' }, ...members, { text: isList ? ']' : '}' }];
}
