import { truncateWithCount } from '../base/text.js';
import type { PooledResults } from '../results/read/pooled-results.js';
import type { ResultsFile } from '../results/results-file.js';
import { findVariantAgent } from '../results/results-header.js';
import type { TaskRunRecord } from '../results/task-run-record.js';
import { getResultsName } from './reporter.js';

type Value = string | number | boolean | null | undefined;
type Column = (taskRun: TaskRunRecord, file: ResultsFile) => Value;

/** A cell of Excel holds no more than 32,767 characters. */
const maxText = 30_000;

/** Columns in their order; docs/reporters.md explains them. */
export const csvColumns: Readonly<Record<string, Column>> = {
  results: (_, file) => file.path,
  eval: (_, file) => getResultsName(file),
  agent: ({ variant }, { header }) => findVariantAgent(header, variant)?.name,
  model: ({ variant }, { header }) => findVariantAgent(header, variant)?.model,
  variant: ({ variant }) => variant,
  task: ({ task }) => task,
  path: ({ path }) => path,
  difficulty: ({ difficulty }) => difficulty,
  labels: ({ labels }) => formatLabels(labels),
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

/** Writes results as CSV, with a row for every task run. */
export async function* writeCsv(source: PooledResults): AsyncGenerator<string> {
  yield formatRow(Object.keys(csvColumns));
  for await (const { file, taskRun } of source.taskRuns({ withoutCallResults: true })) {
    yield formatRow(
      Object.values(csvColumns).map((column) => truncateValue(column(taskRun, file))),
    );
  }
}

function formatRow(values: readonly Value[]): string {
  return `${values.map(formatCsvField).join(',')}\r\n`;
}

function truncateValue(value: Value): Value {
  return typeof value === 'string' ? truncateWithCount(value, maxText) : value;
}

/** Labels in the form that `--label-selector` takes. */
function formatLabels(labels: TaskRunRecord['labels']): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/**
 * A field of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it;
 * programs that read the file remove it again.
 */
export function formatCsvField(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = beginsFormula.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Also the full-width forms of East Asian keyboards, and an apostrophe, so that removing one is unambiguous. */
const beginsFormula = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const needsQuotes = /[",\r\n]|^\s|\s$/;
