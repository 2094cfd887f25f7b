import { dirname, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { findElements } from '../../base/json-text.js';
import { joinLeftOut, LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import { repairValue } from '../../journal/repair.js';
import type { BytePlace } from '../json-splitter.js';
import { type Judgings, judgingsOf } from '../judging.js';
import { contentId } from '../mcpchecker/content-id.js';
import { plannedSchema } from '../own-header.js';
import { ResultsDocument } from '../results-document.js';
import { type ResultsSource, resultsSchema } from '../results-schema.js';
import type { StopSignal } from '../stop-signal.js';
import type { TaskRunRecord } from '../task-run-record.js';
import type { TaskRunSummary } from '../totals.js';
import { jsonOf } from './json-of.js';
import { summaryOfRecord } from './task-run-summary.js';

/** Results as they are merged: in a document of ours. */
export interface MergeFile {
  /** As it was named. */
  path: string;
  /** What is read in its place, if it is a journal, or not ours. */
  document: string;
}

/** What is kept of a task run: where it comes from, where to find it, and what totals need. */
export interface MergeTaskRun {
  file: MergeFile;
  place: BytePlace;
  from: Origin;
  attempt: number;
  summary: TaskRunSummary;
  /** Some of it was left out: what is written is what could be read. */
  isMended: boolean;
  /** The file has it once more, with another verdict. */
  isDisputed: boolean;
}

/** A server as JSON: what it offers can be nested deeper than can be written. */
export interface MergeServer {
  name: string;
  /** Where a matrix has several. */
  mcpConfigFile?: string | undefined;
  json: string;
}

export interface MergeInput {
  file: MergeFile;
  sources: ResultsSource[];
  servers: MergeServer[];
  taskRuns: MergeTaskRun[];
  /** How its tasks were judged, by their names; runs of `--rerun-failed` are in no rate, and not in it. */
  judgings: ReadonlyMap<string, Judgings>;
  leftOut: LeftOutParts;
}

type Origin = NonNullable<TaskRunRecord['from']>;

const headSchema = z.extend(z.omit(resultsSchema, { schema: true, taskRuns: true }), {
  totals: z.nullable(plannedSchema),
});
type Head = z.infer<typeof headSchema>;

const fallbacks = { id: '', finished: false, interrupted: false, bailed: false, resumed: 0 };

/** Reads all of a file. Throws UnreadableResults. */
export async function readMergeInput(
  file: MergeFile,
  outFolder: string,
  stop?: StopSignal,
): Promise<MergeInput> {
  const texts = new Map<string, string>();
  const found: {
    record: Omit<MergeTaskRun, 'from'>;
    from: Omit<Origin, 'id'> & { id?: string };
  }[] = [];
  /** By the evaluation that task runs are out of, then by task. */
  const judged = new Map<string | undefined, Map<string, Judgings>>();
  const document = new ResultsDocument(file.document);
  const own = (key: string, text: string) => texts.set(key, text);
  for await (const { record, place, isMended, isDisputed } of document.taskRuns(own)) {
    stop?.throwIfAborted();
    const { attempt, run, runs, from = { run, runs } } = record;
    const summary = summaryOfRecord(record);
    const { id } = record.from ?? {};
    const byTask = judged.get(id) ?? new Map<string, Judgings>();
    judged.set(id, byTask);
    judgingsOf(byTask, record.task).add(record.judging);
    found.push({ record: { file, place, attempt, summary, isMended, isDisputed }, from });
  }
  const list = new LeftOutList();
  const { head, servers } = headOf(file.path, texts, list);
  if (head.id === '') head.id = await contentId(file.document);
  const sources = sourcesOf(head, found.length).map((each) =>
    withJournalFrom(outFolder, file, each),
  );
  // Told now, and not when half of the file is written.
  for (const source of sources) jsonOf(file.path, source);
  const ids = new Set(sources.map(({ id }) => id));
  const taskRuns = found.flatMap(({ record, from }, index) => {
    const id = from.id ?? head.id;
    if (ids.has(id)) return [{ ...record, from: { ...from, id } }];
    const place = `taskRuns[${index}].from.id`;
    list.add({ place, expected: 'an evaluation in sources', found: JSON.stringify(id) });
    return [];
  });
  const now = joinLeftOut([document.leftOut, list]);
  const [first] = sources;
  if (first && now.count > 0) first.leftOut = joinLeftOut([first.leftOut, now]);
  const leftOut = joinLeftOut(sources.map((source) => source.leftOut));
  const judgings = new Map<string, Judgings>();
  for (const [id = head.id, byTask] of judged) {
    if (isRerun(sources.find((source) => source.id === id))) continue;
    for (const [task, each] of byTask) judgingsOf(judgings, task).addAll(each);
  }
  return { file, sources, servers, taskRuns, judgings, leftOut };
}

function isRerun(source: ResultsSource | undefined): boolean {
  return source?.options['rerun-failed'] !== undefined;
}

function headOf(path: string, texts: ReadonlyMap<string, string>, list: LeftOutList) {
  const head: unknown = Object.fromEntries(
    Object.keys(headSchema.shape).flatMap((key) => {
      const text = texts.get(key);
      return text === undefined ? [] : [[key, parsed(text)] as const];
    }),
  );
  let hasOddServers = false;
  const isFit = repairValue(headSchema, head, {
    place: '',
    fallbacks,
    onLeftOut: (part, [member]) => {
      hasOddServers ||= member === 'mcpServers';
      list.add(part);
    },
  });
  // Every member may be left out, or has a fallback.
  if (!isFit) throw new Error('a header without its members');
  const text = hasOddServers ? jsonOf(path, head.mcpServers) : (texts.get('mcpServers') ?? '');
  return { head, servers: serversOf(head, text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sourcesOf(
  { sources, mcpServers: _, totals, ...head }: Head,
  taskRuns: number,
): ResultsSource[] {
  if (sources && sources.length > 0) return sources;
  // Without its totals, nobody knows what else there was to do.
  const finished = head.finished && totals !== null;
  return [{ ...head, finished, planned: totals?.planned ?? taskRuns }];
}

/** It is told from the folder of the results. */
function withJournalFrom(
  outFolder: string,
  { document }: MergeFile,
  source: ResultsSource,
): ResultsSource {
  if (source.journal === null) return source;
  const path = resolve(dirname(document), source.journal);
  return { ...source, journal: relative(outFolder, path).split(sep).join('/') };
}

function serversOf({ mcpServers }: Head, text: string): MergeServer[] {
  const elements = findElements(text);
  return mcpServers.map(({ name, mcpConfigFile }, index) => {
    const { start, end } = elements[index] ?? { start: 0, end: 0 };
    return { name, mcpConfigFile, json: text.slice(start, end) };
  });
}
