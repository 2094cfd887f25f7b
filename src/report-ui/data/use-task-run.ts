import { useEffect, useState } from 'preact/hooks';
import {
  chunkElementId,
  type ReportChunk,
  type ReportIndex,
} from '../../report-data/report-data.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { decodeElement, messageOf, UnreadableReport } from './decode.js';
import { RecentlyUsed } from './recently-used.js';

export type Loading<Value> =
  | { state: 'loading' }
  | { state: 'ready'; value: Value }
  | { state: 'failed'; message: string };

/** A chunk can be large, and few are needed at a time. */
const chunks = new RecentlyUsed<number, Promise<ReportChunk>>(4);

/** The whole of a task run, given its place in the columns of `index.taskRuns`. */
export function useTaskRun(index: ReportIndex, place: number): Loading<TaskRunSoFar> {
  const [loaded, setLoaded] = useState<{ place: number; result: Loading<TaskRunSoFar> }>();
  useEffect(() => {
    let wanted = true;
    const settle = (result: Loading<TaskRunSoFar>) => wanted && setLoaded({ place, result });
    readTaskRun(index, place).then(
      (value) => settle({ state: 'ready', value }),
      (error: unknown) => settle({ state: 'failed', message: messageOf(error) }),
    );
    return () => {
      wanted = false;
    };
  }, [index, place]);
  return loaded?.place === place ? loaded.result : { state: 'loading' };
}

async function readTaskRun(index: ReportIndex, place: number): Promise<TaskRunSoFar> {
  const chunk = index.taskRuns.chunk[place] ?? -1;
  const records = await chunks.get(chunk, () => readChunk(chunk));
  const record = records[index.taskRuns.place[place] ?? -1];
  if (!record) throw new UnreadableReport('the report does not hold this task run: write it again');
  return record;
}

async function readChunk(chunk: number): Promise<ReportChunk> {
  const value = await decodeElement(chunkElementId(chunk));
  if (!Array.isArray(value)) throw new UnreadableReport('a part of this report is damaged');
  return value;
}
