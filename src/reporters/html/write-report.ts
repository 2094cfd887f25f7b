import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BlockedCalls } from '../../analysis/blocked-calls.js';
import { boundName } from '../../analysis/bounded-text.js';
import { RerunsFold } from '../../analysis/reruns.js';
import { summarizeSource } from '../../analysis/summary/completeness.js';
import { type Sample, summarize } from '../../analysis/summary/summarize.js';
import type { Summary } from '../../analysis/summary/summary.js';
import { reportRecordingTools, reportTools } from '../../analysis/tools/tools-report.js';
import { stringifyBounded } from '../../base/bounded-json.js';
import { TextFile } from '../../base/files.js';
import { proctorVersion } from '../../proctor-version.js';
import { indexElementId, type ReportIndex, type ReportSet } from '../../report-data/report-data.js';
import type { RecordingFile } from '../../results/journal/recording-file.js';
import { withTokenCounter } from '../../tokens/token-counter.js';
import { type CreateReporter, getResultsName, makeReportPath, poolFile } from '../reporter.js';
import { ChunkWriter, makeDataElement } from './data-elements.js';
import { ReportColumns } from './report-columns.js';
import { diffSets, makeResultSets, type NamedResults, type ResultSet } from './result-sets.js';

/** Writes the HTML report to its file, or beside the results. */
export const createHtmlReporter: CreateReporter = ({ file }) => ({
  async onEnd({ results, resultsPath }) {
    const name = getResultsName(results);
    const out = file ?? makeReportPath(resultsPath, 'html');
    await writeReport({ sources: [{ name, results: poolFile(results) }], title: name, out });
  },
});

export interface ReportRequest {
  /** Results to show. Each further source is compared with the first, and variants with the first variant. */
  sources: readonly NamedResults[];
  title: string;
  /** File to write. */
  out: string;
}

export interface WrittenReport {
  bytes: number;
  taskRuns: number;
  /** Names of sets. */
  notCompared: { name: string; reason: string }[];
}

type Write = (text: string) => Promise<void>;

/**
 * Writes the HTML report, with one task run in memory at a time. The file appears complete, or not at all. Throws
 * what reading the results throws, and errors of the file system.
 */
export async function writeReport({ sources, title, out }: ReportRequest): Promise<WrittenReport> {
  const { results, sets } = await summarizeSets(await makeResultSets(sources));
  const { diffs, notCompared } = await diffSets(sources, results);
  const written = await writePage(out, title, async (columns, chunks) => {
    await writeTaskRuns(sources, sets, columns, chunks);
    return { sources: sources.map(({ name }) => name), sets, diffs, notCompared };
  });
  return {
    ...written,
    notCompared: notCompared.map(({ set, reason }) => ({ name: sets[set]?.name ?? '', reason })),
  };
}

/**
 * Writes the HTML report of recordings of `proctor proxy` as one set: there are no verdicts and no rate. The
 * `taskRuns` of the result are sessions.
 */
export async function writeRecordingReport({
  recordings,
  title,
  out,
}: {
  recordings: readonly RecordingFile[];
  title: string;
  out: string;
}): Promise<WrittenReport> {
  const tools = await withTokenCounter((countTokens) =>
    reportRecordingTools(recordings, { countTokens }),
  );
  const name = recordings.map(({ path }) => basename(path)).join(' + ');
  const written = await writePage(out, title, async (columns, chunks) => {
    const blocked = new BlockedCalls();
    for (const { header, sessions } of recordings) {
      for (const server of header.mcpServers) columns.addServer(server.name);
      for await (const session of sessions()) {
        for (const { server, name: callName, ...call } of session.calls) {
          blocked.addCall({ ...call, server: boundName(server), name: boundName(callName) });
        }
        columns.add({ set: 0, counts: false }, session, await chunks.add(session));
      }
    }
    const summary = await summarizeRecordings(recordings, blocked);
    const set = { name, source: 0, variant: null, summary, tools };
    return { recorded: true, sources: [name], sets: [set], diffs: [], notCompared: [] };
  });
  return { ...written, notCompared: [] };
}

/** A summary with the files only: recordings have no tasks and no rates. */
async function summarizeRecordings(
  recordings: readonly RecordingFile[],
  blocked: BlockedCalls,
): Promise<Summary> {
  const nothing: Sample = { files: [], async *taskRuns() {} };
  const { totals, ...rest } = await summarize(nothing);
  const leftOut = recordings.map(({ path, leftOut }) => ({ path, ...leftOut() }));
  return {
    ...rest,
    sources: recordings.map(summarizeSource),
    leftOut: leftOut.filter(({ count }) => count > 0),
    totals: { ...totals, blocked: blocked.tools },
  };
}

/** Writes a page; `fill` writes the task runs, and returns the other parts of the index. */
async function writePage(
  out: string,
  title: string,
  fill: (
    columns: ReportColumns,
    chunks: ChunkWriter,
  ) => Promise<Pick<ReportIndex, 'recorded' | 'sources' | 'sets' | 'diffs' | 'notCompared'>>,
): Promise<Omit<WrittenReport, 'notCompared'>> {
  const page = await readReportPage();
  const columns = new ReportColumns();
  const file = await TextFile.create(out);
  let bytes = 0;
  const write: Write = async (text) => {
    bytes += Buffer.byteLength(text);
    await file.write(text);
  };
  try {
    await write(page.beforeTitle + escapeHtml(title) + page.beforeData);
    const chunks = new ChunkWriter(write);
    const filled = await fill(columns, chunks);
    await chunks.end();
    const { tasks, servers, tools, taskRuns } = columns;
    const writtenAt = new Date().toISOString();
    const lists = { ...filled, tasks, servers, tools, taskRuns };
    const index: ReportIndex = { format: 1, proctor: proctorVersion, title, writtenAt, ...lists };
    await write(await makeDataElement(indexElementId, stringifyBounded(index)));
    await write(page.afterData);
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.finish();
  return { bytes, taskRuns: columns.taskRuns.set.length };
}

/** Summarizes the sets. An empty set of task runs without a variant is dropped. */
function summarizeSets(
  candidates: readonly ResultSet[],
): Promise<{ results: ResultSet[]; sets: ReportSet[] }> {
  return withTokenCounter(async (countTokens) => {
    const results: ResultSet[] = [];
    const sets: ReportSet[] = [];
    for (const candidate of candidates) {
      const { name, source, variant } = candidate;
      const summary = await summarize(candidate.results, { countTokens });
      const isRest = variant === null && sets.some((set) => set.source === source);
      if (isRest && summary.totals.taskRuns === 0) continue;
      const tools = await reportTools(candidate.results, { countTokens });
      results.push(candidate);
      sets.push({ name, source, variant, summary, tools });
    }
    return { results, sets };
  });
}

async function writeTaskRuns(
  sources: readonly NamedResults[],
  sets: readonly ReportSet[],
  columns: ReportColumns,
  chunks: ChunkWriter,
): Promise<void> {
  for (const [source, { results }] of sources.entries()) {
    const findSet = (variant: string | null) => {
      const index = sets.findIndex((set) => set.source === source && set.variant === variant);
      return index < 0 ? sets.findIndex((set) => set.source === source) : index;
    };
    for (const { header } of results.files) {
      for (const { name } of header.mcpServers) columns.addServer(name);
    }
    const reruns = new RerunsFold(results.files);
    for await (const { file, taskRun } of results.taskRuns()) {
      const counts = !reruns.leavesOut(file, taskRun);
      columns.add({ set: findSet(taskRun.variant), counts }, taskRun, await chunks.add(taskRun));
    }
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text from results for the page. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The built page, split where title and data are inserted. */
interface ReportPage {
  beforeTitle: string;
  beforeData: string;
  afterData: string;
}

/** The page of the build, in the folder above its chunks. */
const builtPage = join(import.meta.dirname, '..', 'report-page.html');

async function readReportPage(): Promise<ReportPage> {
  const page = await readFile(builtPage, 'utf8').catch((cause: unknown) => {
    throw new Error(`${builtPage} is missing: install Proctor again`, { cause });
  });
  const [beforeTitle, afterTitle] = splitAt(page, '<!--proctor:title-->');
  const [beforeData, afterData] = splitAt(afterTitle, '<!--proctor:data-->');
  return { beforeTitle, beforeData, afterData };
}

function splitAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the page of the report has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
