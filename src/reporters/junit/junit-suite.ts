import type { ResultsFile } from '../../results/results-file.js';
import type { AgentRecord } from '../../results/results-header.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { type PlainVerdict, taskRunName } from '../plain-verdict.js';
import { nameOf } from '../report-source.js';
import { attribute, seconds } from './junit-case.js';

const maxValue = 500;

export interface JunitCounts {
  tests: number;
  failures: number;
  errors: number;
  milliseconds: number;
}

/** What has to be known of a suite before the first of its cases is written. */
export class JunitSuite {
  readonly name: string;
  readonly file: ResultsFile;
  readonly #properties: string[] = [];
  #milliseconds = 0;
  #taskRuns = 0;
  #failures = 0;
  #errors = 0;

  constructor(file: ResultsFile) {
    this.name = nameOf(file);
    this.file = file;
    const { agent, judge, mcpServers, startedAt } = file.header;
    this.#property('results', file.path);
    this.#property('agent', described(agent));
    this.#property('judge', described(judge));
    this.#property('servers', mcpServers.map(({ name }) => name).join(', '));
    this.#property('startedAt', startedAt);
  }

  add(taskRun: TaskRunRecord, { is }: PlainVerdict): void {
    this.#taskRuns += 1;
    this.#milliseconds += taskRun.durationMs ?? 0;
    if (is === 'failure') this.#failures += 1;
    if (is === 'error') this.#errors += 1;
    const { difficulty, labels, attempt, usage, cost, calls } = taskRun;
    const retries = calls.reduce((sum, call) => sum + (call.retries ?? 0), 0);
    const of = (what: string, value: string | number | null | undefined) =>
      this.#property(`${taskRunName(taskRun)}: ${what}`, value);
    of('difficulty', difficulty);
    for (const [key, value] of Object.entries(labels)) of(`label ${key}`, value);
    of('attempt', attempt);
    of('retries of calls', retries || null);
    of('calls', calls.length);
    of('input tokens', usage?.inputTokens);
    of('output tokens', usage?.outputTokens);
    of('cost', cost);
  }

  get counts(): JunitCounts {
    return {
      tests: this.#taskRuns,
      failures: this.#failures,
      errors: this.#errors,
      milliseconds: this.#milliseconds,
    };
  }

  /** The start tag, and the properties. */
  *start(): Generator<string> {
    const { startedAt } = this.file.header;
    const attributes = [
      attribute('name', this.name, maxValue),
      ...countAttributes(this.counts),
      'skipped="0"',
      ...(startedAt === null ? [] : [attribute('timestamp', startedAt, maxValue)]),
    ];
    yield ` <testsuite ${attributes.join(' ')}>\n  <properties>\n`;
    for (const property of this.#properties) yield `   ${property}\n`;
    yield '  </properties>\n';
  }

  #property(name: string, value: string | number | null | undefined): void {
    if (value === null || value === undefined || value === '') return;
    const attributes = `${attribute('name', name, maxValue)} ${attribute('value', String(value), maxValue)}`;
    this.#properties.push(`<property ${attributes}/>`);
  }
}

export function countAttributes(counts: JunitCounts): string[] {
  const { tests, failures, errors, milliseconds } = counts;
  return [
    `tests="${tests}" failures="${failures}" errors="${errors}"`,
    `time="${seconds(milliseconds)}"`,
  ];
}

function described(agent: AgentRecord | null): string | null {
  if (!agent) return null;
  return [agent.name, agent.model, agent.version].filter((part) => part !== undefined).join(' ');
}
