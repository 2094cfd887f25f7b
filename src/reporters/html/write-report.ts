import { basename } from 'node:path';
import { BlockedCalls } from '../../analysis/blocked-calls.js';
import { RerunsFold } from '../../analysis/reruns-fold.js';
import { boundedName } from '../../analysis/summary/bounded-text.js';
import { sourceSummary } from '../../analysis/summary/evaluations.js';
import { type Sample, summarize } from '../../analysis/summary/summarize.js';
import type { Summary } from '../../analysis/summary/summary.js';
import { toolsOfRecordings, toolsReport } from '../../analysis/tools/tools-report.js';
import { TextFile } from '../../base/files.js';
import { proctorVersion } from '../../proctor-version.js';
import { indexElementId, type ReportIndex, type ReportSet } from '../../report-data/report-data.js';
import type { RecordingFile } from '../../results/recording-file.js';
import { withTokenCounter } from '../../tokens/token-counter.js';
import { boundedJson } from './bounded-json.js';
import { ChunkWriter, dataElement } from './data-elements.js';
import { escapeHtml } from './escape-html.js';
import type { NamedResults } from './named-results.js';
import { ReportColumns } from './report-columns.js';
import { readReportPage } from './report-page.js';
import { type ResultSet, resultSets } from './result-sets.js';
import { setDiffs } from './set-diffs.js';

export interface ReportRequest {
  /** Each further one is compared with the first, and variants of a matrix with its first. */
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
 * Writes the HTML report, one task run in memory at a time. The file is there at once and whole, or
 * not at all. Throws what reading the results throws, and what the file system says.
 */
export async function writeReport({ sources, title, out }: ReportRequest): Promise<WrittenReport> {
  const { results, sets } = await summedUp(await resultSets(sources));
  const { diffs, notCompared } = await setDiffs(sources, results);
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
 * The same of recordings of `proctor proxy`, as one set: there are no verdicts to compare, and no rate.
 * `taskRuns` of what it gives are sessions.
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
    toolsOfRecordings(recordings, { countTokens }),
  );
  const name = recordings.map(({ path }) => basename(path)).join(' + ');
  const written = await writePage(out, title, async (columns, chunks) => {
    const blocked = new BlockedCalls();
    for (const { header, sessions } of recordings) {
      for (const server of header.mcpServers) columns.addServer(server.name);
      for await (const session of sessions()) {
        for (const { server: of, name: called, ...call } of session.calls) {
          blocked.see({ ...call, server: boundedName(of), name: boundedName(called) });
        }
        columns.add({ set: 0, counts: false }, session, await chunks.add(session));
      }
    }
    const summary = await summaryWithoutVerdicts(recordings, blocked);
    const set = { name, source: 0, variant: null, summary, tools };
    return { recorded: true, sources: [name], sets: [set], diffs: [], notCompared: [] };
  });
  return { ...written, notCompared: [] };
}

/** What a report says of its files, and nothing else: no task, no run, no rate. */
async function summaryWithoutVerdicts(
  recordings: readonly RecordingFile[],
  blocked: BlockedCalls,
): Promise<Summary> {
  const nothing: Sample = { files: [], async *taskRuns() {} };
  const { totals, ...rest } = await summarize(nothing);
  const leftOut = recordings.map(({ path, leftOut }) => ({ path, ...leftOut() }));
  return {
    ...rest,
    sources: recordings.map(sourceSummary),
    leftOut: leftOut.filter(({ count }) => count > 0),
    totals: { ...totals, blocked: blocked.tools },
  };
}

/** `fill` writes the task runs, and gives what the index says besides. */
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
    await write(await dataElement(indexElementId, boundedJson(index)));
    await write(page.afterData);
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.finish();
  return { bytes, taskRuns: columns.taskRuns.set.length };
}

/** What of a matrix is of no variant is mostly nothing, and then no set. */
function summedUp(
  candidates: readonly ResultSet[],
): Promise<{ results: ResultSet[]; sets: ReportSet[] }> {
  return withTokenCounter(async (countTokens) => {
    const results: ResultSet[] = [];
    const sets: ReportSet[] = [];
    for (const candidate of candidates) {
      const { name, source, variant } = candidate;
      const summary = await summarize(candidate.results, { countTokens });
      const isRest = variant === null && sets.some((each) => each.source === source);
      if (isRest && summary.totals.taskRuns === 0) continue;
      const tools = await toolsReport(candidate.results, { countTokens });
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
    const setOf = (variant: string | null) => {
      const own = sets.findIndex((set) => set.source === source && set.variant === variant);
      return own < 0 ? sets.findIndex((set) => set.source === source) : own;
    };
    for (const { header } of results.files) {
      for (const { name } of header.mcpServers) columns.addServer(name);
    }
    const reruns = new RerunsFold(results.files);
    for await (const { file, taskRun } of results.taskRuns()) {
      const counts = !reruns.leavesOut(file, taskRun);
      columns.add({ set: setOf(taskRun.variant), counts }, taskRun, await chunks.add(taskRun));
    }
  }
}
