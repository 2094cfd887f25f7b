import { CompletenessFold } from '../analysis/summary/completeness.js';
import { escapeTerminalCharacters } from '../base/json-text.js';
import { truncateWithCount } from '../base/text.js';
import type { PooledResults } from '../results/read/pooled-results.js';
import type { ResultsHeader } from '../results/results-header.js';
import type { TaskRunRecord } from '../results/task-run-record.js';
import { decidePlainVerdict, formatFailedChecks, formatTaskRunName } from './plain-verdict.js';

const maxName = 500;
const maxText = 4000;

/**
 * Writes results as TAP 14, piece by piece. The plan counts task runs that were not done, as readers of TAP take
 * missing tests for failed ones.
 */
export async function* writeTap(source: PooledResults): AsyncGenerator<string> {
  yield 'TAP version 14\n';
  let number = 0;
  const evaluations = new CompletenessFold(source.files);
  for await (const { file, taskRun } of source.taskRuns({ withoutCallResults: true })) {
    number += 1;
    evaluations.add(file, taskRun);
    yield formatTestPoint(number, taskRun, file.header);
  }
  const { notRun } = evaluations;
  yield `1..${number + notRun}\n`;
  if (notRun > 0) yield `Bail out! ${notRun} planned without a verdict\n`;
}

function formatTestPoint(number: number, taskRun: TaskRunRecord, header: ResultsHeader): string {
  const { is, type, message } = decidePlainVerdict(taskRun, header);
  const status = is === 'good' ? 'ok' : 'not ok';
  const facts: [string, string | number | null | undefined][] = [
    ['duration_ms', taskRun.durationMs],
    ['attempt', taskRun.attempt],
    ['calls', taskRun.calls.length],
  ];
  const why: [string, string][] = [
    ['severity', is === 'error' ? 'error' : 'fail'],
    ['category', type],
    ['message', message],
    ['checks', formatFailedChecks(taskRun).join('\n')],
  ];
  const lines = [...facts, ...(is === 'good' ? [] : why)].flatMap(([key, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [`  ${key}: ${formatYamlValue(value)}`],
  );
  return `${status} ${number} - ${formatDescription(taskRun)}\n  ---\n${lines.join('\n')}\n  ...\n`;
}

/** The name of a task run with `#` escaped, which would start a directive. */
function formatDescription(taskRun: TaskRunRecord): string {
  const name = truncateWithCount(formatTaskRunName(taskRun), maxName).replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu,
    ' ',
  );
  return name.replace(/[\\#]/g, '\\$&');
}

/** A value in YAML: strings of JSON are also strings of YAML. */
function formatYamlValue(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return escapeTerminalCharacters(JSON.stringify(truncateWithCount(value, maxText)));
}
