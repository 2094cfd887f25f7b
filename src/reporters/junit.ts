import { describeReachedBudget } from '../analysis/figure-text.js';
import { CompletenessFold } from '../analysis/summary/completeness.js';
import { stringifyBounded } from '../base/bounded-json.js';
import { truncateWithCount } from '../base/text.js';
import { taskInWords } from '../events/task-run-key.js';
import type { PooledResults } from '../results/read/pooled-results.js';
import type { ResultsFile } from '../results/results-file.js';
import type { AgentRecord } from '../results/results-header.js';
import type { CallRecord, TaskRunRecord } from '../results/task-run-record.js';
import {
  decidePlainVerdict,
  formatFailedChecks,
  formatTaskRunName,
  type PlainVerdict,
} from './plain-verdict.js';
import { getResultsName } from './reporter.js';

const reading = { withoutCallResults: true } as const;

/**
 * Results as JUnit XML, piece by piece: a suite for each file, a case for each task run. Every
 * program that reads JUnit shows the names of cases; what it makes of suites differs. The counts and the
 * properties come first and would fill the memory, so the results are read three times.
 */
export async function* writeJunit(source: PooledResults): AsyncGenerator<string> {
  const { suites, notRun, reasons } = await surveySuites(source);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  const counts = sumCounts([
    ...suites.map((suite) => suite.counts),
    ...(notRun > 0 ? [missing] : []),
  ]);
  yield `<testsuites name="proctor" ${formatCountAttributes(counts).join(' ')}>\n`;
  for (const suite of suites) {
    if (suite.counts.tests > 0) yield* writeSuite(suite, source);
  }
  if (notRun > 0) yield formatMissingSuite(notRun, reasons);
  yield '</testsuites>\n';
}

async function* writeSuite(suite: JunitSuite, source: PooledResults): AsyncGenerator<string> {
  const { name, file, startTag, properties } = suite;
  const all = { ...reading, of: file };
  yield `${startTag}  <properties>\n${properties.join('')}`;
  for await (const { taskRun } of source.taskRuns(all))
    yield listTaskRunProperties(taskRun).join('');
  yield '  </properties>\n';
  for await (const { taskRun } of source.taskRuns(all)) {
    yield formatCase(taskRun, decidePlainVerdict(taskRun, file.header), name);
  }
  yield ' </testsuite>\n';
}

async function surveySuites(source: PooledResults) {
  const suites = source.files.map((file) => new JunitSuite(file));
  const evaluations = new CompletenessFold(source.files);
  for await (const { file, taskRun } of source.taskRuns(reading)) {
    evaluations.add(file, taskRun);
    const suite = suites.find((each) => each.file === file);
    suite?.add(taskRun, decidePlainVerdict(taskRun, file.header));
  }
  const { notRun, budgets } = evaluations;
  return { suites, notRun, reasons: budgets.map(describeReachedBudget) };
}

/** What `missingSuite` has. */
const missing: JunitCounts = { tests: 1, failures: 0, errors: 1, milliseconds: 0 };

function sumCounts(all: readonly JunitCounts[]): JunitCounts {
  const sum = { tests: 0, failures: 0, errors: 0, milliseconds: 0 };
  for (const counts of all) {
    sum.tests += counts.tests;
    sum.failures += counts.failures;
    sum.errors += counts.errors;
    sum.milliseconds += counts.milliseconds;
  }
  return sum;
}

interface JunitCounts {
  tests: number;
  failures: number;
  errors: number;
  milliseconds: number;
}

/** What has to be known of a suite before the first of its cases is written: a few numbers. */
class JunitSuite {
  readonly name: string;
  readonly file: ResultsFile;
  readonly counts: JunitCounts = { tests: 0, failures: 0, errors: 0, milliseconds: 0 };

  constructor(file: ResultsFile) {
    this.name = getResultsName(file);
    this.file = file;
  }

  add({ durationMs }: TaskRunRecord, { is }: PlainVerdict): void {
    this.counts.tests += 1;
    this.counts.milliseconds += durationMs ?? 0;
    if (is === 'failure') this.counts.failures += 1;
    if (is === 'error') this.counts.errors += 1;
  }

  get startTag(): string {
    const { startedAt } = this.file.header;
    const attributes = [
      formatAttribute('name', this.name, maxValue),
      ...formatCountAttributes(this.counts),
      'skipped="0"',
      ...(startedAt === null ? [] : [formatAttribute('timestamp', startedAt, maxValue)]),
    ];
    return ` <testsuite ${attributes.join(' ')}>\n`;
  }

  /** Of the evaluation. */
  get properties(): string[] {
    const { agent, variants, judge, mcpServers, startedAt } = this.file.header;
    return [
      ...formatProperty('results', this.file.path),
      ...formatProperty('agent', formatAgent(agent)),
      ...formatProperty('variants', variants.map(({ name }) => name).join(', ')),
      ...formatProperty('judge', formatAgent(judge)),
      ...formatProperty('servers', [...new Set(mcpServers.map(({ name }) => name))].join(', ')),
      ...formatProperty('startedAt', startedAt),
    ];
  }
}

function formatCountAttributes(counts: JunitCounts): string[] {
  const { tests, failures, errors, milliseconds } = counts;
  return [
    `tests="${tests}" failures="${failures}" errors="${errors}"`,
    `time="${formatSeconds(milliseconds)}"`,
  ];
}

function formatAgent(agent: AgentRecord | null): string | null {
  if (!agent) return null;
  return [agent.name, agent.model, agent.version].filter((part) => part !== undefined).join(' ');
}

const maxName = 500;
const maxMessage = 2000;
const maxFailure = 20_000;
const maxAnswer = 8000;
const maxCalls = 100;
const maxArguments = 300;

/** A task run as a `testcase`. Programs group cases by their class: that is the variant's. */
function formatCase(taskRun: TaskRunRecord, verdict: PlainVerdict, suite: string): string {
  const { durationMs, assertions, outcome, variant } = taskRun;
  const attributes = [
    formatAttribute('classname', taskInWords({ task: suite, variant }), maxName),
    formatAttribute('name', formatTaskRunName(taskRun), maxName),
    ...(assertions.length > 0 ? [formatAttribute('assertions', String(assertions.length))] : []),
    ...(durationMs === null ? [] : [formatAttribute('time', formatSeconds(durationMs))]),
    formatAttribute('status', outcome),
  ];
  return [
    `  <testcase ${attributes.join(' ')}>`,
    ...formatFailure(taskRun, verdict),
    `    <system-out>${escapeXmlText(formatSystemOut(taskRun))}</system-out>`,
    '  </testcase>\n',
  ].join('\n');
}

/** Task runs that did not happen must not be mistaken for good ones. */
function formatMissingSuite(count: number, reasons: readonly string[] = []): string {
  const have = `${count} planned task ${count === 1 ? 'run has' : 'runs have'} no verdict`;
  const message = [have, ...reasons].join('; ');
  return [
    ' <testsuite name="(not run)" tests="1" failures="0" errors="1">',
    '  <testcase classname="(not run)" name="(not run)" status="error">',
    `    <error type="not-run" ${formatAttribute('message', message, maxMessage)}/>`,
    '  </testcase>',
    ' </testsuite>\n',
  ].join('\n');
}

function formatFailure(taskRun: TaskRunRecord, { is, type, message }: PlainVerdict): string[] {
  if (is === 'good') return [];
  const text = [message, ...formatFailedChecks(taskRun)].join('\n');
  const attributes = `${formatAttribute('type', type)} ${formatAttribute('message', message, maxMessage)}`;
  return [`    <${is} ${attributes}>${escapeXmlText(truncateWithCount(text, maxFailure))}</${is}>`];
}

function formatSystemOut({ output, calls }: TaskRunRecord): string {
  const lines = calls.slice(0, maxCalls).map(formatCall);
  if (calls.length > maxCalls) lines.push(`[... ${calls.length - maxCalls} calls left out ...]`);
  return [...lines, truncateWithCount(output, maxAnswer)].join('\n');
}

function formatCall(record: CallRecord): string {
  const { call, kind, server, name, args } = record;
  const state = describeState(record);
  const how = state === undefined ? '' : ` -> ${state}`;
  const given = args === null ? '' : ` ${truncateWithCount(stringifyBounded(args), maxArguments)}`;
  return `${call} ${truncateWithCount(`${kind} ${server}.${name}`, maxName)}${given}${how}`;
}

/** What is out of the ordinary about a call. */
function describeState({
  isError,
  blocked,
  malformed,
  suspectedError,
}: CallRecord): string | undefined {
  if (blocked) return 'blocked';
  if (malformed !== undefined) return `malformed: ${malformed}`;
  if (isError) return 'error';
  return suspectedError === undefined ? undefined : `looks like an error: ${suspectedError}`;
}

/** JUnit counts in seconds. */
function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

export function formatAttribute(name: string, value: string, maxLength = value.length): string {
  return `${name}="${escapeXmlAttribute(truncateWithCount(value, maxLength))}"`;
}

const maxValue = 500;

/** A case has no place for them in the schema of Jenkins: they are the suite's, under its name. */
function listTaskRunProperties(taskRun: TaskRunRecord): string[] {
  const { difficulty, labels, attempt, worker, usage, cost, calls } = taskRun;
  const retries = calls.reduce((sum, call) => sum + (call.retries ?? 0), 0);
  const of = (what: string, value: string | number | null | undefined) =>
    formatProperty(`${formatTaskRunName(taskRun)}: ${what}`, value);
  return [
    ...of('difficulty', difficulty),
    ...Object.entries(labels).flatMap(([key, value]) => of(`label ${key}`, value)),
    ...of('attempt', attempt),
    ...of('worker', worker),
    ...of('retries of calls', retries || null),
    ...of('calls', calls.length),
    ...of('input tokens', usage?.inputTokens),
    ...of('output tokens', usage?.outputTokens),
    ...of('cost', cost),
  ];
}

/** None where there is no value. */
function formatProperty(name: string, value: string | number | null | undefined): string[] {
  if (value === null || value === undefined || value === '') return [];
  const attributes = [
    formatAttribute('name', name, maxValue),
    formatAttribute('value', String(value), maxValue),
  ];
  return [`   <property ${attributes.join(' ')}/>\n`];
}

/**
 * Text of an XML 1.0 document, whatever it holds. Characters that XML does not have at all are shown
 * as symbols, or replaced.
 */
function escapeXmlText(text: string): string {
  return replaceImpossible(text).replace(
    /[&<>\r]/g,
    (character) => entities[character] ?? character,
  );
}

/** The value of an attribute, in double quotes: spaces of all kinds stay what they are. */
function escapeXmlAttribute(text: string): string {
  return replaceImpossible(text).replace(
    /[&<>"\r\n\t]/g,
    (character) => entities[character] ?? character,
  );
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  // Only `]]>` needs it, which nobody has to look for this way.
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function replaceImpossible(text: string): string {
  return text.replace(impossible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });
}

/** Control characters but for tab and line ends, halves of pairs, and the two that are none. */
const impossible = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
