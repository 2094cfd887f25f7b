import type { PooledResults } from '../../src/results/read/pooled-results.js';
import type { ResultsFile } from '../../src/results/results-file.js';
import type { ResultsHeader } from '../../src/results/results-header.js';
import type { TaskRunRecord } from '../../src/results/task-run-record.js';
import { generatedTaskRun } from './report-task-run.js';

const outcomes = {
  P: 'passed',
  F: 'failed',
  T: 'timeout',
  E: 'error',
  C: 'cancelled',
} as const;

export interface SampleTask {
  /** A letter for every run: P, F, T, E, C. */
  runs: string;
  path?: string;
  prompt?: string;
  change?: Partial<TaskRunRecord>;
}

type SampleTasks = Readonly<Record<string, string | SampleTask>>;

/** Results in memory, from the outcomes of their task runs. */
export function resultsSample(
  tasks: SampleTasks,
  header: Partial<ResultsHeader> = {},
): PooledResults {
  const taskRuns = Object.entries(tasks).flatMap(([task, given]) => taskRunsOf(task, given));
  const id = header.id ?? 'sample';
  const file: ResultsFile = {
    path: `${id}.json`,
    leftOut: () => ({ count: 0, parts: [] }),
    header: {
      kind: 'results',
      id,
      evaluations: [id],
      merged: false,
      shards: [],
      reruns: [],
      eval: { name: 'pets', file: 'eval.yaml' },
      startedAt: null,
      durationMs: null,
      agent: { name: 'scripted', type: 'scripted' },
      variants: [],
      judge: null,
      mcpServers: [],
      finished: true,
      interrupted: false,
      bailed: false,
      budget: null,
      planned: taskRuns.length,
      open: [],
      warnings: [],
      ...header,
    },
    async *taskRuns() {
      yield* taskRuns;
    },
  };
  return {
    files: [file],
    async *taskRuns() {
      for (const taskRun of taskRuns) yield { file, taskRun };
    },
  };
}

function taskRunsOf(task: string, given: string | SampleTask): TaskRunRecord[] {
  const {
    runs,
    path = `tasks/${task}.yaml`,
    prompt = `Do ${task}.`,
    change = {},
  } = typeof given === 'string' ? { runs: given } : given;
  return [...runs].map((letter, index) => ({
    ...generatedTaskRun({ task: 0, run: index + 1, runs: runs.length, calls: 1, passing: 100 }),
    task,
    path,
    prompt,
    judging: { prompt, assertions: {}, setup: [], verify: [], judge: null, timeoutMs: null },
    outcome: outcomes[letter as keyof typeof outcomes],
    ...change,
  }));
}
