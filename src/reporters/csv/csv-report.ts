import { truncateWithCount } from '../../base/text.js';
import { agentOfVariant } from '../../results/agent-of-variant.js';
import type { PooledResults } from '../../results/pooled-results.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { nameOf } from '../report-source.js';
import { csvField } from './csv-field.js';

type Value = string | number | boolean | null | undefined;
type Column = (taskRun: TaskRunRecord, file: ResultsFile) => Value;

/** A cell of Excel holds no more than 32,767 characters. */
const maxText = 30_000;

/** In this order; docs/reporters.md says what they mean. */
export const csvColumns: Readonly<Record<string, Column>> = {
  results: (_, file) => file.path,
  eval: (_, file) => nameOf(file),
  agent: ({ variant }, { header }) => agentOfVariant(header, variant)?.name,
  model: ({ variant }, { header }) => agentOfVariant(header, variant)?.model,
  variant: ({ variant }) => variant,
  task: ({ task }) => task,
  path: ({ path }) => path,
  difficulty: ({ difficulty }) => difficulty,
  labels: ({ labels }) => labelsOf(labels),
  run: ({ run }) => run,
  runs: ({ runs }) => runs,
  attempt: ({ attempt }) => attempt,
  outcome: ({ outcome }) => outcome,
  failure_category: ({ failure }) => failure?.category,
  failure_message: ({ failure }) => failure?.message,
  verified: ({ verified }) => verified,
  assertions_held: ({ assertionsHeld }) => assertionsHeld,
  assertions_passed: ({ assertions }) => assertions.filter(({ passed }) => passed).length,
  assertions_total: ({ assertions }) => assertions.length,
  started_at: ({ startedAt }) => startedAt,
  duration_ms: ({ durationMs }) => durationMs,
  tool_calls: ({ callCounts }) => callCounts.tool,
  resource_reads: ({ callCounts }) => callCounts.resource,
  prompt_gets: ({ callCounts }) => callCounts.prompt,
  call_errors: ({ callCounts }) => callCounts.errors,
  call_tokens: ({ callCounts }) => callCounts.tokens,
  input_tokens: ({ usage }) => usage?.inputTokens,
  output_tokens: ({ usage }) => usage?.outputTokens,
  cost_usd: ({ cost }) => cost,
  judge_input_tokens: ({ judge }) => judge?.usage?.inputTokens,
  judge_output_tokens: ({ judge }) => judge?.usage?.outputTokens,
  judge_cost_usd: ({ judge }) => judge?.cost,
  worker: ({ worker }) => worker,
};

/** A row for every task run, piece by piece. */
export async function* csvReport(source: PooledResults): AsyncGenerator<string> {
  yield row(Object.keys(csvColumns));
  for await (const { file, taskRun } of source.taskRuns({ withoutCallResults: true })) {
    yield row(Object.values(csvColumns).map((column) => shortened(column(taskRun, file))));
  }
}

function row(values: readonly Value[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function shortened(value: Value): Value {
  return typeof value === 'string' ? truncateWithCount(value, maxText) : value;
}

/** As `--label-selector` has them. */
function labelsOf(labels: TaskRunRecord['labels']): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
