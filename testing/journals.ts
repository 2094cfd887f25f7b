import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RawJson } from '../src/base/json-text.js';
import type { EventBody, JournalEvent } from '../src/journal/event.js';
import { formatEventLine } from '../src/journal/event.js';
import type { McpCall } from '../src/journal/mcp-events.js';
import { journalSchema, type RunRecord } from '../src/journal/run-events.js';
import type {
  AssertionChecked,
  Outcome,
  TaskRunEnded,
  TaskRunStarted,
} from '../src/journal/task-run-events.js';
import { mergeResults } from '../src/results/merge/merge-results.js';
import { writeResults } from '../src/results/write/write-results.js';

/** A check as it would write it, without any of it happening. */
export class JournalBuilder {
  #lines: string[] = [];
  #seq = 0;

  constructor(evaluation: Partial<RunRecord> = {}) {
    this.add({
      type: 'run-started',
      schema: journalSchema,
      proctor: '0.1.0',
      command: 'check',
      mcpServers: [{ name: 'pets', transport: 'stdio' }],
      evaluation: { ...defaultEvaluation, ...evaluation },
    });
  }

  /** Gives its `seq`. Every event is one second after the one before. */
  add(body: EventBody): number {
    this.#seq += 1;
    const seq = this.#seq;
    const at = new Date(Date.UTC(2026, 0, 1) + (seq - 1) * 1000).toISOString();
    const event: JournalEvent = { ...body, seq, at };
    this.#lines.push(`${formatEventLine(event)}\n`);
    return seq;
  }

  get text(): string {
    return this.#lines.join('');
  }

  /** What was added since it was taken before: a large journal is not kept in memory. */
  takeText(): string {
    const { text } = this;
    this.#lines = [];
    return text;
  }
}

const defaultEvaluation: RunRecord = {
  id: 'evaluation-1',
  eval: { name: 'pets', file: 'eval.yaml' },
  files: [],
  agent: { name: 'scripted', type: 'scripted' },
  options: {},
  environment: { node: 'v22.0.0', platform: 'linux', arch: 'x64' },
  taskRuns: 1,
  process: { pid: 1, startTime: '1' },
  workspace: '/tmp/proctor-1',
};

export const started = (more: Partial<TaskRunStarted> = {}): TaskRunStarted => ({
  type: 'task-run-started',
  taskRun: 'feed-1',
  task: 'feed',
  path: 'tasks/feed.yaml',
  run: 1,
  runs: 1,
  attempt: 1,
  labels: {},
  workdir: '/tmp/proctor-1/feed-1',
  random: { id: 'a1', port: 4000 },
  ...more,
});

export const ended = (more: Partial<TaskRunEnded> = {}): TaskRunEnded => ({
  type: 'task-run-ended',
  taskRun: 'feed-1',
  task: 'feed',
  run: 1,
  outcome: 'passed',
  verified: null,
  assertionsHeld: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 100,
  output: 'done',
  calls: { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 },
  ...more,
});

export const call = (more: Partial<McpCall> = {}): McpCall => ({
  type: 'mcp-call',
  taskRun: 'feed-1',
  server: 'pets',
  call: 1,
  kind: 'tool',
  method: 'tools/call',
  name: 'feed',
  isError: false,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 10,
  bytes: { request: 1, response: 1 },
  request: 1,
  ...more,
});

export const assertion = (more: Partial<AssertionChecked> = {}): AssertionChecked => ({
  type: 'assertion-checked',
  taskRun: 'feed-1',
  name: 'toolsUsed',
  passed: true,
  reason: 'pets.feed was called',
  source: { file: 'eval.yaml', line: 12 },
  calls: [1],
  ...more,
});

/** The agent came to its own end. */
export const agentFinished = (taskRun = 'feed-1'): EventBody[] => [
  { type: 'phase-started', taskRun, phase: 'agent', prompt: 'Feed the cat' },
  { type: 'phase-ended', taskRun, phase: 'agent', outcome: 'passed', durationMs: 50 },
];

interface Run {
  task: string;
  run?: number;
  runs?: number;
  attempt?: number;
  outcome?: Outcome;
  args?: string;
}

/** An evaluation as a test wants it. */
export interface EvaluationParts {
  id: string;
  day?: number;
  runs: Run[];
  evaluation?: Partial<RunRecord>;
  tools?: string;
  isFinished?: boolean;
}

function journalText({
  id,
  day = 1,
  runs,
  evaluation,
  tools,
  isFinished = true,
}: EvaluationParts): string {
  const builder = new JournalBuilder({ id, taskRuns: runs.length, ...evaluation });
  if (tools !== undefined) {
    const none = new RawJson('[]');
    builder.add({
      type: 'server-checked',
      server: 'pets',
      protocolVersion: '2025-11-25',
      tools: new RawJson(tools),
      ...{ resources: none, resourceTemplates: none, prompts: none, allowedTools: [] },
      durationMs: 1,
    });
  }
  for (const { task, run = 1, runs: of = run, attempt = 1, outcome = 'passed', args } of runs) {
    const taskRun = `${task}-${run}`;
    builder.add(started({ taskRun, task, run, runs: of, attempt, labels: { area: task } }));
    if (args !== undefined) builder.add(call({ taskRun, args: new RawJson(args) }));
    builder.add(ended({ taskRun, task, run, outcome, cost: 0.1 }));
  }
  if (isFinished) builder.add({ type: 'run-ended', durationMs: 10, calls: 0 });
  return builder.text.replaceAll('"at":"2026-01-01', `"at":"2026-01-0${day}`);
}

/** Writes the journal of an evaluation, and its results if it is asked for them. */
export async function evaluationFile(
  folder: string,
  name: string,
  wanted: EvaluationParts,
): Promise<string> {
  const journal = join(folder, name.replace(/\.json$/, '.jsonl'));
  await writeFile(journal, journalText(wanted));
  if (name.endsWith('.jsonl')) return journal;
  const path = join(folder, name);
  await writeResults(journal, path);
  return path;
}

export async function mergedFile(
  folder: string,
  paths: readonly string[],
  { force = false, name = 'out.json' } = {},
) {
  const out = join(folder, name);
  await mergeResults(paths, out, { force });
  return { out, text: await readFile(out, 'utf8') };
}
