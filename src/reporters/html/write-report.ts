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
import { type SetDiffs, setDiffs } from './set-diffs.js';

export interface ReportRequest {
  /** Each further one is compared with the first. */
  sources: readonly NamedResults[];
  title: string;
  /** File to write. */
  out: string;
}

export interface WrittenReport {
  bytes: number;
  taskRuns: number;
  notCompared: SetDiffs['notCompared'];
}

type Write = (text: string) => Promise<void>;

/**
 * Writes the HTML report, one task run in memory at a time. The file is there at once and whole, or
 * not at all. Throws what reading the results throws, and what the file system says.
 */
export async function writeReport({ sources, title, out }: ReportRequest): Promise<WrittenReport> {
  const page = await readReportPage();
  const sets = await setsOf(sources);
  const { diffs, notCompared } = await setDiffs(sources);
  const columns = new ReportColumns();
  const file = await TextFile.create(out);
  let bytes = 0;
  const write: Write = async (text) => {
    bytes += Buffer.byteLength(text);
    await file.write(text);
  };
  try {
    await write(page.beforeTitle + escapeHtml(title) + page.beforeData);
    await writeTaskRuns(sources, columns, write);
    const { tasks, servers, tools, taskRuns } = columns;
    const writtenAt = new Date().toISOString();
    const lists = { sets, tasks, servers, tools, taskRuns, diffs };
    const index: ReportIndex = { format: 1, proctor: proctorVersion, title, writtenAt, ...lists };
    await write(await dataElement(indexElementId, boundedJson(index)));
    await write(page.afterData);
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.finish();
  return { bytes, taskRuns: columns.taskRuns.set.length, notCompared };
}

function setsOf(sources: readonly NamedResults[]): Promise<ReportSet[]> {
  return withTokenCounter(async (countTokens) => {
    const sets: ReportSet[] = [];
    for (const { name, results } of sources) {
      const summary = await summarize(results, { countTokens });
      sets.push({ name, summary, tools: await toolsReport(results, { countTokens }) });
    }
    return sets;
  });
}

async function writeTaskRuns(
  sources: readonly NamedResults[],
  columns: ReportColumns,
  write: Write,
): Promise<void> {
  const chunks = new ChunkWriter(write);
  for (const [set, { results }] of sources.entries()) {
    for (const { header } of results.files) {
      for (const { name } of header.mcpServers) columns.addServer(name);
    }
    for await (const { taskRun } of results.taskRuns()) {
      columns.add(set, taskRun, await chunks.add(taskRun));
    }
  }
  await chunks.end();
}
