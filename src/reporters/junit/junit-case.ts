import { truncateWithCount } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import type { CallRecord, TaskRunRecord } from '../../results/task-run-record.js';
import { failedCheckLines } from '../failure-details.js';
import { boundedJson } from '../html/bounded-json.js';
import { type PlainVerdict, taskRunName } from '../plain-verdict.js';
import { xmlAttribute, xmlText } from './xml-text.js';

const maxName = 500;
const maxMessage = 2000;
const maxFailure = 20_000;
const maxAnswer = 8000;
const maxCalls = 100;
const maxArguments = 300;

/** A task run as a `testcase`. Programs group cases by their class: that is the variant's. */
export function junitCase(taskRun: TaskRunRecord, verdict: PlainVerdict, suite: string): string {
  const { durationMs, assertions, outcome, variant } = taskRun;
  const attributes = [
    attribute('classname', formatTaskName({ task: suite, variant }), maxName),
    attribute('name', taskRunName(taskRun), maxName),
    ...(assertions.length > 0 ? [attribute('assertions', String(assertions.length))] : []),
    ...(durationMs === null ? [] : [attribute('time', seconds(durationMs))]),
    attribute('status', outcome),
  ];
  return [
    `  <testcase ${attributes.join(' ')}>`,
    ...failureElement(taskRun, verdict),
    `    <system-out>${xmlText(whatHappened(taskRun))}</system-out>`,
    '  </testcase>\n',
  ].join('\n');
}

/** Task runs that did not happen must not be mistaken for good ones. */
export function missingSuite(count: number, reasons: readonly string[] = []): string {
  const have = `${count} planned task ${count === 1 ? 'run has' : 'runs have'} no verdict`;
  const message = [have, ...reasons].join('; ');
  return [
    ' <testsuite name="(not run)" tests="1" failures="0" errors="1">',
    '  <testcase classname="(not run)" name="(not run)" status="error">',
    `    <error type="not-run" ${attribute('message', message, maxMessage)}/>`,
    '  </testcase>',
    ' </testsuite>\n',
  ].join('\n');
}

function failureElement(taskRun: TaskRunRecord, { is, type, message }: PlainVerdict): string[] {
  if (is === 'good') return [];
  const text = [message, ...failedCheckLines(taskRun)].join('\n');
  const attributes = `${attribute('type', type)} ${attribute('message', message, maxMessage)}`;
  return [`    <${is} ${attributes}>${xmlText(truncateWithCount(text, maxFailure))}</${is}>`];
}

function whatHappened({ output, calls }: TaskRunRecord): string {
  const lines = calls.slice(0, maxCalls).map(callLine);
  if (calls.length > maxCalls) lines.push(`[... ${calls.length - maxCalls} calls left out ...]`);
  return [...lines, truncateWithCount(output, maxAnswer)].join('\n');
}

function callLine(record: CallRecord): string {
  const { call, kind, server, name, args } = record;
  const state = stateOf(record);
  const how = state === undefined ? '' : ` -> ${state}`;
  const given = args === null ? '' : ` ${truncateWithCount(boundedJson(args), maxArguments)}`;
  return `${call} ${truncateWithCount(`${kind} ${server}.${name}`, maxName)}${given}${how}`;
}

/** What is out of the ordinary about a call. */
function stateOf({ isError, blocked, malformed, suspectedError }: CallRecord): string | undefined {
  if (blocked) return 'blocked';
  if (malformed !== undefined) return `malformed: ${malformed}`;
  if (isError) return 'error';
  return suspectedError === undefined ? undefined : `looks like an error: ${suspectedError}`;
}

/** JUnit counts in seconds. */
export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

export function attribute(name: string, value: string, maxLength = value.length): string {
  return `${name}="${xmlAttribute(truncateWithCount(value, maxLength))}"`;
}
