import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../base/errors.js';
import { isObject } from '../../base/json.js';
import {
  getChunkElementId,
  indexElementId,
  type ReportChunk,
  type ReportIndex,
} from '../../report-data/report-data.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { RecentlyUsed } from './collections.js';

/** A part of the report cannot be read. Its message is shown to the reader. */
class UnreadableReportError extends Error {
  override name = 'UnreadableReportError';
}

/** Reads the JSON in a script element, which is compressed by gzip and encoded in base64. */
async function decodeElement(id: string): Promise<unknown> {
  const text = document.getElementById(id)?.textContent;
  if (!text) throw new UnreadableReportError('a part of this report is missing: write it again');
  try {
    const unpacked = new Blob([decodeBase64(text.trim())])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'));
    return await new Response(unpacked).json();
  } catch (error) {
    throw new UnreadableReportError('a part of this report is damaged: write it again', {
      cause: error,
    });
  }
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place++) bytes[place] = binary.charCodeAt(place);
  return bytes;
}

export async function readIndex(): Promise<ReportIndex> {
  if (isOldBrowser()) {
    throw new UnreadableReportError(
      'this browser is too old: use Chrome 123, Firefox 120, Safari 17.5 or newer',
    );
  }
  const index = await decodeElement(indexElementId);
  if (!isIndex(index)) {
    throw new UnreadableReportError(
      'this report was written by another version of Proctor: write it again',
    );
  }
  return index;
}

/** Without DecompressionStream there is no data, without light-dark() there are no colours. */
function isOldBrowser(): boolean {
  return (
    typeof DecompressionStream === 'undefined' ||
    !CSS.supports('color', 'light-dark(#000000, #ffffff)')
  );
}

/** Checks the format alone, as the same program writes the page and its data. */
function isIndex(value: unknown): value is ReportIndex {
  return isObject(value) && value.format === 1;
}

type Loading<Value> =
  | { state: 'loading' }
  | { state: 'ready'; value: Value }
  | { state: 'failed'; message: string };

/** The last chunks that were read. One can be large, and few are needed at a time. */
const chunks = new RecentlyUsed<number, Promise<ReportChunk>>(4);

/** Loads all of a task run, given its place in the columns of `index.taskRuns`. */
export function useTaskRun(index: ReportIndex, place: number): Loading<TaskRunSoFar> {
  const [loaded, setLoaded] = useState<{ place: number; result: Loading<TaskRunSoFar> }>();
  useEffect(() => {
    let wanted = true;
    const settle = (result: Loading<TaskRunSoFar>) => wanted && setLoaded({ place, result });
    readTaskRun(index, place).then(
      (value) => settle({ state: 'ready', value }),
      (error: unknown) => settle({ state: 'failed', message: errorMessage(error) }),
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
  if (!record)
    throw new UnreadableReportError('this task run is missing from the report: write it again');
  return record;
}

async function readChunk(chunk: number): Promise<ReportChunk> {
  const value = await decodeElement(getChunkElementId(chunk));
  if (!Array.isArray(value)) throw new UnreadableReportError('a part of this report is damaged');
  return value;
}
