import { dirname, relative, sep } from 'node:path';
import { type JournalSurvey, makeServerKey, surveyJournal } from '../journal/journal-survey.js';
import { readJournalTaskRuns } from '../journal/journal-task-runs.js';
import type { StopSignal } from '../results-file.js';
import { type ResultTotals, resultsSchemaName } from '../schema/results-schema.js';
import { stringifyWithRaw, writeJsonFile } from './json-output.js';
import { computeTotals } from './totals.js';

/**
 * Writes the results file of a journal, finished or not, with every task run that has a verdict. The file
 * appears complete, or not at all. Throws NotARunError, what readJournal throws, and errors of the file system.
 */
export async function writeResults(
  journalPath: string,
  outPath: string,
  stop?: StopSignal,
): Promise<ResultTotals> {
  const survey = await surveyJournal(journalPath);
  const totals = computeTotals([...survey.counted.values()], survey.planned);
  const journal = relative(dirname(outPath), journalPath).split(sep).join('/');
  await writeJsonFile(outPath, async (output) => {
    const head = stringifyWithRaw(buildResultsHead(survey, journal, totals));
    await output.add(`${head.slice(0, -1)},\n"taskRuns":[`);
    let separator = '\n';
    for await (const { pieces } of readJournalTaskRuns(journalPath, survey)) {
      stop?.throwIfAborted();
      await output.add(separator);
      for await (const piece of pieces()) await output.add(piece);
      separator = ',\n';
    }
    await output.add('\n]}\n');
  });
  return totals;
}

/** The members of a results file but its task runs. */
export function buildResultsHead(
  survey: JournalSurvey,
  journal: string,
  totals: ResultTotals,
): Record<string, unknown> {
  const { started, record, startedAt, durationMs } = survey;
  const { finished, interrupted, bailed, budget, resumed } = survey;
  const { count } = survey.leftOut;
  return {
    schema: resultsSchemaName,
    proctor: started?.proctor ?? null,
    id: survey.id,
    eval: record.eval ?? null,
    journal,
    startedAt: startedAt ?? null,
    durationMs,
    agent: record.agent ?? null,
    variants: record.variants,
    judge: record.judge ?? null,
    mcpServers: listServers(survey),
    options: record.options ?? {},
    environment: record.environment ?? null,
    finished,
    interrupted,
    bailed,
    budget,
    resumed,
    leftOut: count > 0 ? survey.leftOut : undefined,
    totals,
    ...survey.warnings.members,
  };
}

function listServers({ started, servers }: JournalSurvey) {
  return (started?.mcpServers ?? []).map(({ name, transport, mcpConfigFile }) => {
    const checked = servers.get(makeServerKey(name, mcpConfigFile));
    const { protocolVersion, serverInfo, tools, resources } = checked ?? {};
    const { resourceTemplates, prompts, allowedTools } = checked ?? {};
    const offered = { tools, resources, resourceTemplates, prompts, allowedTools };
    const identity = { name, mcpConfigFile, transport };
    return { ...identity, protocolVersion, serverInfo, ...offered };
  });
}
