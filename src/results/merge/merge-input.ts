import { dirname, relative, resolve, sep } from 'node:path';
import * as z from 'zod/mini';
import { findElements } from '../../base/json-text.js';
import { joinLeftOut, LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import { repairValue } from '../../journal/repair.js';
import { getOrAddJudgings, type Judgings } from '../judging.js';
import { plannedSchema } from '../read/header-parser.js';
import type { BytePlace } from '../read/json-splitter.js';
import { computeContentId } from '../read/open-results.js';
import { ResultsDocument } from '../read/results-document.js';
import type { StopSignal } from '../results-file.js';
import { type ResultsSource, resultsSchema } from '../schema/results-schema.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { stringifyFileValue } from '../write/json-output.js';
import { summarizeRecord, type TaskRunSummary } from '../write/totals.js';

/** A file to merge, as a results file of Proctor. */
export interface MergeFile {
  /** Path as it was given. */
  path: string;
  /** The results file that is read; a temp file if a journal or results of mcpchecker were given. */
  document: string;
}

/** What is kept of a task run: its origin, its place in the file, and what totals need. */
export interface MergeTaskRun {
  file: MergeFile;
  place: BytePlace;
  from: Origin;
  attempt: number;
  summary: TaskRunSummary;
  /** Malformed parts were left out: only what could be read is written. */
  isMended: boolean;
  /** The file has it again with another verdict. */
  isDisputed: boolean;
}

/** A server as JSON: what it offers can be nested deeper than JSON.stringify can go. */
export interface MergeServer {
  name: string;
  /** The MCP config, if a matrix has several. */
  mcpConfigFile?: string | undefined;
  json: string;
}

export interface MergeInput {
  file: MergeFile;
  sources: ResultsSource[];
  servers: MergeServer[];
  taskRuns: MergeTaskRun[];
  /** What judged each task, by name. Without runs of `--rerun-failed`, which are in no rate. */
  judgings: ReadonlyMap<string, Judgings>;
  leftOut: LeftOutParts;
}

type Origin = NonNullable<TaskRunRecord['from']>;

const headSchema = z.extend(z.omit(resultsSchema, { schema: true, taskRuns: true }), {
  totals: z.nullable(plannedSchema),
});
type Head = z.infer<typeof headSchema>;

const fallbacks = { id: '', finished: false, interrupted: false, bailed: false, resumed: 0 };

/** Reads a whole file. Throws UnreadableResultsError. */
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
  /** What judged the tasks, by run and then by task. */
  const judged = new Map<string | undefined, Map<string, Judgings>>();
  const document = new ResultsDocument(file.document);
  const keepMember = (key: string, text: string) => texts.set(key, text);
  for await (const { record, place, isMended, isDisputed } of document.taskRuns(keepMember)) {
    stop?.throwIfAborted();
    const { attempt, run, runs, from = { run, runs } } = record;
    const summary = summarizeRecord(record);
    const { id } = record.from ?? {};
    const byTask = judged.get(id) ?? new Map<string, Judgings>();
    judged.set(id, byTask);
    getOrAddJudgings(byTask, record.task).add(record.judging);
    found.push({ record: { file, place, attempt, summary, isMended, isDisputed }, from });
  }
  const list = new LeftOutList();
  const { head, servers } = readMergeHead(file.path, texts, list);
  if (head.id === '') head.id = await computeContentId(file.document);
  const sources = listSources(head, found.length).map((source) =>
    relocateSourceJournal(outFolder, file, source),
  );
  // Throws now if one cannot be written, and not when half of the file is written.
  for (const source of sources) stringifyFileValue(file.path, source);
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
    for (const [task, taskJudgings] of byTask) {
      getOrAddJudgings(judgings, task).addAll(taskJudgings);
    }
  }
  return { file, sources, servers, taskRuns, judgings, leftOut };
}

function isRerun(source: ResultsSource | undefined): boolean {
  return source?.options['rerun-failed'] !== undefined;
}

function readMergeHead(path: string, texts: ReadonlyMap<string, string>, list: LeftOutList) {
  const head: unknown = Object.fromEntries(
    Object.keys(headSchema.shape).flatMap((key) => {
      const text = texts.get(key);
      return text === undefined ? [] : [[key, parseOrUndefined(text)] as const];
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
  const text = hasOddServers
    ? stringifyFileValue(path, head.mcpServers)
    : (texts.get('mcpServers') ?? '');
  return { head, servers: listMergeServers(head, text) };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listSources(
  { sources, mcpServers: _, totals, ...head }: Head,
  taskRuns: number,
): ResultsSource[] {
  if (sources && sources.length > 0) return sources;
  // Without its totals it is not known what else was planned.
  const finished = head.finished && totals !== null;
  return [{ ...head, finished, planned: totals?.planned ?? taskRuns }];
}

/** Makes the path of the journal relative to the folder of the merged results. */
function relocateSourceJournal(
  outFolder: string,
  { document }: MergeFile,
  source: ResultsSource,
): ResultsSource {
  if (source.journal === null) return source;
  const path = resolve(dirname(document), source.journal);
  return { ...source, journal: relative(outFolder, path).split(sep).join('/') };
}

function listMergeServers({ mcpServers }: Head, text: string): MergeServer[] {
  const elements = findElements(text);
  return mcpServers.map(({ name, mcpConfigFile }, index) => {
    const { start, end } = elements[index] ?? { start: 0, end: 0 };
    return { name, mcpConfigFile, json: text.slice(start, end) };
  });
}
