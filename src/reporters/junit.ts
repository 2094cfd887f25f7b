import { describeReachedBudget } from '../analysis/figure-text.js';
import { CompletenessFold } from '../analysis/summary/completeness.js';
import { stringifyBounded } from '../base/bounded-json.js';
import { truncateWithCount } from '../base/text.js';
import { formatTaskName } from '../journal/task-run-events.js';
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
 * Writes results as JUnit XML, piece by piece: a suite for each file, a case for each task run. All programs that
 * read JUnit show the names of cases, but differ in what they make of suites. Counts and properties come first,
 * and would fill the memory, so the results are read three times.
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
    const suite = suites.find((candidate) => candidate.file === file);
    suite?.add(taskRun, decidePlainVerdict(taskRun, file.header));
  }
  const { notRun, budgets } = evaluations;
  return { suites, notRun, reasons: budgets.map(describeReachedBudget) };
}

/** Counts of the suite of `formatMissingSuite`. */
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

/** The numbers of a suite that are written before its first case. */
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

  /** Properties of the run as a whole. */
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

/** A task run as a `testcase`. Programs group cases by class, which is eval and variant here. */
function formatCase(taskRun: TaskRunRecord, verdict: PlainVerdict, suite: string): string {
  const { durationMs, assertions, outcome, variant } = taskRun;
  const attributes = [
    formatAttribute('classname', formatTaskName({ task: suite, variant }), maxName),
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

/** A failing suite for task runs that were planned and not done: they must not be taken for good ones. */
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
  const ending = state === undefined ? '' : ` -> ${state}`;
  const argsText =
    args === null ? '' : ` ${truncateWithCount(stringifyBounded(args), maxArguments)}`;
  return `${call} ${truncateWithCount(`${kind} ${server}.${name}`, maxName)}${argsText}${ending}`;
}

/** What is unusual about a call; undefined if nothing is. */
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

/** A duration in seconds, as JUnit has it. */
function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

export function formatAttribute(name: string, value: string, maxLength = value.length): string {
  return `${name}="${escapeXmlAttribute(truncateWithCount(value, maxLength))}"`;
}

const maxValue = 500;

/** Properties of a task run. In the schema of Jenkins cases have none: they go to the suite, with the case's name. */
function listTaskRunProperties(taskRun: TaskRunRecord): string[] {
  const { difficulty, labels, attempt, worker, usage, cost, calls } = taskRun;
  const retries = calls.reduce((sum, call) => sum + (call.retries ?? 0), 0);
  const format = (name: string, value: string | number | null | undefined) =>
    formatProperty(`${formatTaskRunName(taskRun)}: ${name}`, value);
  return [
    ...format('difficulty', difficulty),
    ...Object.entries(labels).flatMap(([key, value]) => format(`label ${key}`, value)),
    ...format('attempt', attempt),
    ...format('worker', worker),
    ...format('retries of calls', retries || null),
    ...format('calls', calls.length),
    ...format('input tokens', usage?.inputTokens),
    ...format('output tokens', usage?.outputTokens),
    ...format('cost', cost),
  ];
}

/** A property; empty if there is no value. */
function formatProperty(name: string, value: string | number | null | undefined): string[] {
  if (value === null || value === undefined || value === '') return [];
  const attributes = [
    formatAttribute('name', name, maxValue),
    formatAttribute('value', String(value), maxValue),
  ];
  return [`   <property ${attributes.join(' ')}/>\n`];
}

/**
 * Escapes text for an XML 1.0 document. Characters that XML cannot hold are shown as symbols, or replaced.
 */
function escapeXmlText(text: string): string {
  return replaceImpossible(text).replace(
    /[&<>\r]/g,
    (character) => entities[character] ?? character,
  );
}

/** Escapes the value of an attribute in double quotes; all kinds of spaces are kept. */
function escapeXmlAttribute(text: string): string {
  return replaceImpossible(text).replace(
    /[&<>"\r\n\t]/g,
    (character) => entities[character] ?? character,
  );
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  // Only `]]>` needs it; escaping every `>` is simpler.
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

/** Control characters except tab and line ends, unpaired surrogates, and two noncharacters. */
const impossible = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
