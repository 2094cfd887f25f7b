import { summarize } from '../../analysis/summary/summarize.js';
import { toolsReport } from '../../analysis/tools/tools-report.js';
import { proctorVersion } from '../../proctor-version.js';
import { indexElementId, type ReportIndex, type ReportSet } from '../../report-data/report-data.js';
import { TextFile } from '../../results/text-file.js';
import { withTokenCounter } from '../../tokens/with-token-counter.js';
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
  const page = await readReportPage();
  const { results, sets } = await summedUp(await resultSets(sources));
  const { diffs, notCompared } = await setDiffs(results);
  const columns = new ReportColumns();
  const file = await TextFile.create(out);
  let bytes = 0;
  const write: Write = async (text) => {
    bytes += Buffer.byteLength(text);
    await file.write(text);
  };
  try {
    await write(page.beforeTitle + escapeHtml(title) + page.beforeData);
    await writeTaskRuns(sources, sets, columns, write);
    const { tasks, servers, tools, taskRuns } = columns;
    const writtenAt = new Date().toISOString();
    const names = sources.map(({ name }) => name);
    const lists = { sources: names, sets, tasks, servers, tools, taskRuns, diffs, notCompared };
    const index: ReportIndex = { format: 1, proctor: proctorVersion, title, writtenAt, ...lists };
    await write(await dataElement(indexElementId, boundedJson(index)));
    await write(page.afterData);
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.finish();
  return {
    bytes,
    taskRuns: columns.taskRuns.set.length,
    notCompared: notCompared.map(({ set, reason }) => ({ name: sets[set]?.name ?? '', reason })),
  };
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
  write: Write,
): Promise<void> {
  const chunks = new ChunkWriter(write);
  for (const [source, { results }] of sources.entries()) {
    const setOf = (variant: string | null) => {
      const own = sets.findIndex((set) => set.source === source && set.variant === variant);
      return own < 0 ? sets.findIndex((set) => set.source === source) : own;
    };
    for (const { header } of results.files) {
      for (const { name } of header.mcpServers) columns.addServer(name);
    }
    for await (const { taskRun } of results.taskRuns()) {
      columns.add(setOf(taskRun.variant), taskRun, await chunks.add(taskRun));
    }
  }
  await chunks.end();
}
