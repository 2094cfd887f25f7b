import { EvaluationsFold } from '../../analysis/summary/evaluations.js';
import { escapeTerminalCharacters } from '../../base/json-text.js';
import { truncateWithCount } from '../../base/text.js';
import type { PooledResults } from '../../results/pooled-results.js';
import type { ResultsHeader } from '../../results/results-header.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { failedCheckLines } from '../failure-details.js';
import { plainVerdict, taskRunName } from '../plain-verdict.js';

const maxName = 500;
const maxText = 4000;

/**
 * Results as TAP 14, piece by piece. The plan counts task runs that did not happen: a reader of TAP
 * takes a test that is missing for one that failed.
 */
export async function* tapReport(source: PooledResults): AsyncGenerator<string> {
  yield 'TAP version 14\n';
  let number = 0;
  const evaluations = new EvaluationsFold(source.files);
  for await (const { file, taskRun } of source.taskRuns({ withoutCallResults: true })) {
    number += 1;
    evaluations.add(file, taskRun);
    yield testPoint(number, taskRun, file.header);
  }
  const { notRun } = evaluations;
  yield `1..${number + notRun}\n`;
  if (notRun > 0) yield `Bail out! ${notRun} planned without a verdict\n`;
}

function testPoint(number: number, taskRun: TaskRunRecord, header: ResultsHeader): string {
  const { is, type, message } = plainVerdict(taskRun, header);
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
    ['checks', failedCheckLines(taskRun).join('\n')],
  ];
  const lines = [...facts, ...(is === 'good' ? [] : why)].flatMap(([key, value]) =>
    value === null || value === undefined || value === '' ? [] : [`  ${key}: ${yamlValue(value)}`],
  );
  return `${status} ${number} - ${description(taskRun)}\n  ---\n${lines.join('\n')}\n  ...\n`;
}

/** A hash would begin a directive. */
function description(taskRun: TaskRunRecord): string {
  const name = truncateWithCount(taskRunName(taskRun), maxName).replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu,
    ' ',
  );
  return name.replace(/[\\#]/g, '\\$&');
}

/** Strings of JSON are strings of YAML. */
function yamlValue(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return escapeTerminalCharacters(JSON.stringify(truncateWithCount(value, maxText)));
}
