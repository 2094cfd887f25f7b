import type { ResultsFile } from '../../results/results-file.js';
import type { AgentRecord } from '../../results/results-header.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { PlainVerdict } from '../plain-verdict.js';
import { nameOf } from '../report-source.js';
import { attribute, seconds } from './junit-case.js';
import { maxValue, property } from './junit-properties.js';

export interface JunitCounts {
  tests: number;
  failures: number;
  errors: number;
  milliseconds: number;
}

/** What has to be known of a suite before the first of its cases is written: a few numbers. */
export class JunitSuite {
  readonly name: string;
  readonly file: ResultsFile;
  readonly counts: JunitCounts = { tests: 0, failures: 0, errors: 0, milliseconds: 0 };

  constructor(file: ResultsFile) {
    this.name = nameOf(file);
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
      attribute('name', this.name, maxValue),
      ...countAttributes(this.counts),
      'skipped="0"',
      ...(startedAt === null ? [] : [attribute('timestamp', startedAt, maxValue)]),
    ];
    return ` <testsuite ${attributes.join(' ')}>\n`;
  }

  /** Of the evaluation. */
  get properties(): string[] {
    const { agent, variants, judge, mcpServers, startedAt } = this.file.header;
    return [
      ...property('results', this.file.path),
      ...property('agent', described(agent)),
      ...property('variants', variants.map(({ name }) => name).join(', ')),
      ...property('judge', described(judge)),
      ...property('servers', [...new Set(mcpServers.map(({ name }) => name))].join(', ')),
      ...property('startedAt', startedAt),
    ];
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
