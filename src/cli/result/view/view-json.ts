import { escapeTerminalCharacters } from '../../../base/json-text.js';
import type { PooledResults } from '../../../results/pooled-results.js';
import type { RecordingFile } from '../../../results/recording-file.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';
import type { Output } from '../../io.js';
import { writeWhole } from '../../whole-output.js';
import { jsonOfAnyDepth } from '../json-of-any-depth.js';
import { openTaskRuns } from './open-task-runs.js';
import type { Selection, Shown } from './selection.js';

/** The records of the task runs that were asked for, as a list, one in memory at a time. */
export async function viewAsJson(
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
  for await (const { taskRun } of openTaskRuns(results)) {
    if (!isNarrow || !matches(taskRun)) continue;
    covered += 1;
    await list.add(taskRun);
  }
  return { covered, shown: list.end() };
}

/** The same of sessions of recordings. They have no outcome. */
export async function recordingsAsJson(
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
    const json = escapeTerminalCharacters(jsonOfAnyDepth(taskRun));
    await writeWhole(this.#output, `${this.#count === 0 ? '[\n' : ',\n'}${json}`);
    this.#count += 1;
  }

  /** Gives how many there were. */
  end(): number {
    this.#output.write(this.#count === 0 ? '[]\n' : '\n]\n');
    return this.#count;
  }
}
