import { type JournalSurvey, serverKey } from './journal-survey.js';
import { jsonArray, jsonObject } from './json-object.js';
import { type ResultTotals, resultsSchemaName } from './results-schema.js';

/** Everything before the task runs of a journal, which come one on each line, and `]}`. */
export function resultsHead(survey: JournalSurvey, journal: string, totals: ResultTotals): string {
  const { started, evaluation, startedAt, durationMs } = survey;
  const { finished, interrupted, bailed, budget, resumed } = survey;
  const { count } = survey.leftOut;
  const { text } = jsonObject({
    schema: resultsSchemaName,
    proctor: started?.proctor ?? null,
    id: survey.id,
    eval: evaluation.eval ?? null,
    journal,
    startedAt: startedAt ?? null,
    durationMs,
    agent: evaluation.agent ?? null,
    variants: evaluation.variants,
    judge: evaluation.judge ?? null,
    mcpServers: serversOf(survey),
    options: evaluation.options ?? {},
    environment: evaluation.environment ?? null,
    finished,
    interrupted,
    bailed,
    budget,
    resumed,
    leftOut: count > 0 ? survey.leftOut : undefined,
    totals,
    ...survey.warnings.members,
  });
  return `${text.slice(0, -1)},\n"taskRuns":[`;
}

function serversOf({ started, servers }: JournalSurvey) {
  return jsonArray(
    (started?.mcpServers ?? []).map(({ name, transport, mcpConfigFile }) => {
      const checked = servers.get(serverKey(name, mcpConfigFile));
      const { protocolVersion, serverInfo, tools, resources } = checked ?? {};
      const { resourceTemplates, prompts, allowedTools } = checked ?? {};
      const offered = { tools, resources, resourceTemplates, prompts, allowedTools };
      const own = { name, mcpConfigFile, transport };
      return jsonObject({ ...own, protocolVersion, serverInfo, ...offered });
    }),
  );
}
