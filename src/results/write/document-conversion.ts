import type { MergeFile } from '../merge/merge-input.js';
import { computeContentId, openResultsFile } from '../read/open-results.js';
import type { ResultsFile, StopSignal } from '../results-file.js';
import { resultsSchemaName } from '../schema/results-schema.js';
import { stringifyFileValue, writeJsonFile } from './json-output.js';
import { computeTotals, summarizeRecord, type TaskRunSummary } from './totals.js';
import { writeResults } from './write-results.js';

/** Converts a journal, or results of mcpchecker, to a results file of Proctor. Throws what openResultsFile throws. */
export async function convertToDocument(
  path: string,
  tempPath: string,
  stop?: StopSignal,
): Promise<MergeFile> {
  const results = await openResultsFile(path);
  const { kind } = results.header;
  if (kind === 'results') return { path, document: path };
  if (kind === 'journal') await writeResults(path, tempPath, stop);
  else await writeMcpcheckerDocument(results, tempPath, stop);
  return { path, document: tempPath };
}

async function writeMcpcheckerDocument(
  { path, header, taskRuns, leftOut, lostTaskRuns }: ResultsFile,
  document: string,
  stop?: StopSignal,
) {
  const { agent, judge, mcpServers } = header;
  const head = {
    schema: resultsSchemaName,
    ...{ proctor: null, id: await computeContentId(path), eval: null, journal: null },
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
  await writeJsonFile(document, async (output) => {
    await output.add(`${stringifyFileValue(path, head).slice(0, -1)},\n"taskRuns":[`);
    const summaries: TaskRunSummary[] = [];
    for await (const taskRun of taskRuns()) {
      stop?.throwIfAborted();
      await output.add(`${summaries.length > 0 ? ',' : ''}\n${stringifyFileValue(path, taskRun)}`);
      summaries.push(summarizeRecord(taskRun));
    }
    const totals = computeTotals(summaries, summaries.length + (lostTaskRuns?.() ?? 0));
    const lost = leftOut();
    const end = { totals, ...(lost.count > 0 && { leftOut: lost }) };
    await output.add(`],\n${JSON.stringify(end).slice(1)}\n`);
  });
}
