import { escapeTerminalCharacters } from '../../base/json-text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import type { PooledResults } from '../../results/pooled-results.js';
import type { AgentRecord, ResultsHeader } from '../../results/results-header.js';
import { evalResult } from './eval-result.js';
import { wholeJson } from './whole-json.js';

/** Results in the shape of mcpchecker, piece by piece, so that what was made for it goes on working. */
export async function* mcpcheckerReport(source: PooledResults): AsyncGenerator<string> {
  yield `{"summary":${escapeTerminalCharacters(wholeJson(await summaryOf(source)))},\n"results":[`;
  let separator = '\n';
  for await (const { taskRun } of source.taskRuns()) {
    yield `${separator}${escapeTerminalCharacters(wholeJson(evalResult(taskRun)))}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function summaryOf(source: PooledResults): Promise<object> {
  const names = new Set<string>();
  const paths = new Set<string>();
  let runs = 1;
  for await (const { taskRun } of source.taskRuns({ withoutCallResults: true })) {
    names.add(formatTaskName(taskRun));
    if (taskRun.path !== '') paths.add(taskRun.path);
    runs = Math.max(runs, taskRun.runs);
  }
  const headers = source.files.map(({ header }) => header);
  const agent = headers.find((header) => header.agent)?.agent ?? null;
  const judge = headers.find((header) => header.judge)?.judge ?? null;
  return {
    agent: agent ? agentOf(agent) : { type: '' },
    ...(judge && { judge: agentOf(judge) }),
    mcpServers: serversOf(headers),
    evals: { names: [...names], taskSets: [...paths].map((path) => ({ path })) },
    parallelWorkers: 1,
    runs,
  };
}

const builtins = new Set(['claude-code', 'openai-agent', 'llm-agent']);

function agentOf({ name, type, model }: NonNullable<AgentRecord>): object {
  return {
    type: builtins.has(type) ? `builtin.${type}` : type,
    name,
    ...(model !== undefined && { model }),
  };
}

function serversOf(headers: readonly ResultsHeader[]): object[] {
  const servers = new Map(
    headers.flatMap(({ mcpServers }) =>
      mcpServers.map(({ name, transport }) => [name, { name, type: transport }] as const),
    ),
  );
  return [...servers.values()];
}
