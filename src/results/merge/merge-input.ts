import { dirname, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { arrayElements } from '../../events/json-members.js';
import type { BytePlace } from '../json-splitter.js';
import { ResultsDocument } from '../results-document.js';
import { UnreadableResults } from '../results-errors.js';
import { type ResultsSource, resultsSchema } from '../results-schema.js';
import type { StopSignal } from '../stop-signal.js';
import type { TaskRunRecord } from '../task-run-record.js';
import type { TaskRunSummary } from '../totals.js';
import { validAt } from '../valid-at.js';
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
}

type Origin = NonNullable<TaskRunRecord['from']>;

const headSchema = z.omit(resultsSchema, { schema: true, taskRuns: true });
type Head = z.infer<typeof headSchema>;

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
  const document = new ResultsDocument(file.document);
  for await (const { record, place } of document.taskRuns((key, text) => texts.set(key, text))) {
    stop?.throwIfAborted();
    const { attempt, run, runs, from = { run, runs } } = record;
    found.push({ record: { file, place, attempt, summary: summaryOfRecord(record) }, from });
  }
  const head = headOf(file.path, texts);
  const sources = sourcesOf(head).map((each) => withJournalFrom(outFolder, file, each));
  // Told now, and not when half of the file is written.
  for (const source of sources) jsonOf(file.path, source);
  const ids = new Set(sources.map(({ id }) => id));
  const taskRuns = found.map(({ record, from }, index) => {
    const id = from.id ?? head.id;
    if (ids.has(id)) return { ...record, from: { ...from, id } };
    const reason = `taskRuns[${index}].from names no evaluation in sources`;
    throw UnreadableResults.damaged(file.path, reason);
  });
  return { file, sources, servers: serversOf(head, texts.get('mcpServers') ?? ''), taskRuns };
}

function headOf(path: string, texts: ReadonlyMap<string, string>): Head {
  const members = Object.keys(headSchema.shape).flatMap((key) => {
    const text = texts.get(key);
    return text === undefined ? [] : [[key, parsed(path, key, text)] as const];
  });
  return validAt(path, '', headSchema, Object.fromEntries(members));
}

function parsed(path: string, key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw UnreadableResults.damaged(path, `${key} is not valid JSON`);
  }
}

function sourcesOf({ sources, mcpServers: _, totals, ...head }: Head): ResultsSource[] {
  return sources ?? [{ ...head, planned: totals.planned }];
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
  const elements = arrayElements(text);
  return mcpServers.map(({ name, mcpConfigFile }, index) => {
    const { start, end } = elements[index] ?? { start: 0, end: 0 };
    return { name, mcpConfigFile, json: text.slice(start, end) };
  });
}
