import { contentId } from '../mcpchecker/content-id.js';
import { openResults } from '../open-results.js';
import type { ResultsFile } from '../results-file.js';
import { resultsSchemaName } from '../results-schema.js';
import type { StopSignal } from '../stop-signal.js';
import { type TaskRunSummary, totalsOf } from '../totals.js';
import { writeWholeFile } from '../whole-file.js';
import { writeResults } from '../write-results.js';
import { jsonOf } from './json-of.js';
import type { MergeFile } from './merge-input.js';
import { summaryOfRecord } from './task-run-summary.js';

/** Makes a document of ours, a draft, out of what is none. Throws what openResults throws. */
export async function asDocument(
  path: string,
  draft: string,
  stop?: StopSignal,
): Promise<MergeFile> {
  const results = await openResults(path);
  const { kind } = results.header;
  if (kind === 'results') return { path, document: path };
  if (kind === 'journal') await writeResults(path, draft, stop);
  else await writeMcpchecker(results, draft, stop);
  return { path, document: draft };
}

async function writeMcpchecker(
  { path, header, taskRuns, leftOut, lostTaskRuns }: ResultsFile,
  document: string,
  stop?: StopSignal,
) {
  const { agent, judge, mcpServers } = header;
  const head = {
    schema: resultsSchemaName,
    ...{ proctor: null, id: await contentId(path), eval: null, journal: null },
    ...{ startedAt: null, durationMs: null, agent, judge, mcpServers },
    ...{ options: {}, environment: null },
    ...{
      finished: true,
      interrupted: false,
      bailed: false,
      budget: null,
      resumed: 0,
      warnings: [],
    },
  };
  await writeWholeFile(document, async (output) => {
    await output.add(`${jsonOf(path, head).slice(0, -1)},\n"taskRuns":[`);
    const summaries: TaskRunSummary[] = [];
    for await (const taskRun of taskRuns()) {
      stop?.throwIfAborted();
      await output.add(`${summaries.length > 0 ? ',' : ''}\n${jsonOf(path, taskRun)}`);
      summaries.push(summaryOfRecord(taskRun));
    }
    const totals = totalsOf(summaries, summaries.length + (lostTaskRuns?.() ?? 0));
    const lost = leftOut();
    const end = { totals, ...(lost.count > 0 && { leftOut: lost }) };
    await output.add(`],\n${JSON.stringify(end).slice(1)}\n`);
  });
}
