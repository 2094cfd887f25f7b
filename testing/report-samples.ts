import type { Outcome } from '../src/journal/task-run-events.js';
import type { ReportIndex } from '../src/report-data/report-data.js';
import type { PooledResults } from '../src/results/read/pooled-results.js';
import type { ResultsFile } from '../src/results/results-file.js';
import type { ResultsHeader } from '../src/results/results-header.js';
import type { TaskRunResult } from '../src/results/schema/task-run-schema.js';
import type { TaskRunRecord } from '../src/results/task-run-record.js';

type Call = TaskRunResult['calls'][number];
type Phase = NonNullable<TaskRunResult['phases']['verify']>;

/** The tools that the generated server offers; the last one is never called. */
export const generatedTools = ['list_pets', 'feed_pet', 'find_pet', 'rename_pet', 'sell_pet'].map(
  (name) => ({
    name,
    description: `Does ${name.replace('_', ' ')}.`,
    inputSchema: {
      type: 'object',
      properties: {
        pet: { type: 'string' },
        food: { type: 'string', enum: ['hay', 'fish', 'seeds'] },
      },
      required: ['pet'],
    },
  }),
);

export interface GeneratedRun {
  /** From 0. */
  task: number;
  /** From 1. */
  run: number;
  runs: number;
  calls: number;
  /** Of 100 task runs, about so many pass. */
  passing: number;
}

/** A task run that is always the same for the same numbers, and different for others. */
export function generatedTaskRun({ task, run, runs, calls, passing }: GeneratedRun): TaskRunResult {
  const chance = noise(task, run);
  const outcome = outcomeOf(chance, passing, task + run);
  const startedAt = Date.UTC(2026, 0, 1, 12) + (task * runs + run) * 1000;
  const madeCalls = Array.from({ length: calls }, (_, index) =>
    generatedCall(task, run, index, startedAt),
  );
  const hasPassed = outcome === 'passed';
  return {
    id: `task-${task}-${run}`,
    task: `task ${task}`,
    path: `tasks/task-${task}.yaml`,
    difficulty: ['easy', 'medium', 'hard'][task % 3] ?? null,
    labels: { area: task % 2 === 0 ? 'pets' : 'food' },
    variant: null,
    run,
    runs,
    attempt: 1,
    prompt: `Feed pet ${task}, and say what it ate.`,
    judging: {
      prompt: `of task ${task}`,
      assertions: {},
      setup: [],
      verify: [],
      judge: null,
      timeoutMs: null,
    },
    outcome,
    failure: hasPassed ? null : failureOf(outcome),
    verified: outcome === 'error' ? null : hasPassed,
    assertionsHeld: outcome === 'error' ? null : hasPassed,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: 400 + chance * 20 + calls * 10,
    output: `Pet ${task} ate hay.`,
    phases: {
      setup: stepPhase('passed', 20),
      agent: {
        outcome: 'passed',
        durationMs: 300 + chance * 20 + calls * 10,
        steps: [
          { seq: 5, kind: 'thinking', text: 'The pet may be hungry.' },
          { seq: 6, kind: 'message', text: `I look for pet ${task}.` },
          { seq: 999, kind: 'message', text: `Pet ${task} ate hay.` },
        ],
      },
      verify: outcome === 'error' ? null : stepPhase(hasPassed ? 'passed' : 'failed', 30),
      cleanup: stepPhase('passed', 10),
    },
    assertions: outcome === 'error' ? [] : [assertionOf(hasPassed, calls)],
    calls: madeCalls,
    callCounts: {
      tool: calls,
      resource: 0,
      prompt: 0,
      errors: madeCalls.filter(({ isError }) => isError).length,
      tokens: calls * 30,
      suspected: 0,
    },
    usage: { inputTokens: 1000 + chance * 10, outputTokens: 100 + chance },
    cost: 0.001 * (chance + 1),
    judge: null,
    permissionDenials: [],
    cleanupFailed: false,
    warnings: [],
  };
}

/** The same task run with another outcome, and everything that goes with it. */
export function withOutcome(
  taskRun: TaskRunResult,
  outcome: TaskRunResult['outcome'],
): TaskRunResult {
  const hasPassed = outcome === 'passed';
  const isJudged = outcome !== 'error';
  return {
    ...taskRun,
    outcome,
    failure: hasPassed ? null : failureOf(outcome),
    verified: isJudged ? hasPassed : null,
    assertionsHeld: isJudged ? hasPassed : null,
    phases: {
      ...taskRun.phases,
      verify: isJudged ? stepPhase(hasPassed ? 'passed' : 'failed', 30) : null,
    },
    assertions: isJudged ? [assertionOf(hasPassed, taskRun.calls.length)] : [],
  };
}

function generatedCall(task: number, run: number, index: number, startedAt: number): Call {
  // Only every other task needs all of them.
  const { name = '' } = generatedTools[index % (task % 2 === 0 ? 3 : 4)] ?? {};
  const isError = noise(task + index, run) < 5;
  const text = isError ? 'there is no such pet' : `pet ${task} is fine, says call ${index + 1}`;
  return {
    seq: 10 + index,
    call: index + 1,
    kind: 'tool',
    server: 'pets',
    name,
    args: { pet: `pet-${task}`, food: index % 2 === 0 ? 'hay' : 'fish' },
    result: { content: [{ type: 'text', text }], isError },
    error: null,
    isError,
    blocked: false,
    startedAt: new Date(startedAt + 50 + index * 10).toISOString(),
    durationMs: 2 + (noise(index, task) % 7),
    tokens: { args: 10, result: 20 },
  };
}

function assertionOf(passed: boolean, calls: number): TaskRunResult['assertions'][number] {
  return {
    name: 'toolsUsed',
    passed,
    reason: passed ? 'pets.feed_pet was called' : 'pets.feed_pet was called without hay',
    details: [],
    at: { file: 'eval.yaml', line: 12 },
    calls: calls > 1 ? [2] : [],
  };
}

function outcomeOf(chance: number, passing: number, turn: number): TaskRunResult['outcome'] {
  if (chance < passing) return 'passed';
  return (['failed', 'failed', 'timeout', 'error'] as const)[turn % 4] ?? 'failed';
}

function failureOf(outcome: TaskRunResult['outcome']): TaskRunResult['failure'] {
  if (outcome === 'timeout') {
    return { category: 'timeout', message: 'the time limit of 1m was reached', evidence: 7 };
  }
  if (outcome === 'error') {
    return { category: 'agent-failed', message: 'the agent ended with code 1', evidence: 7 };
  }
  return { category: 'verification-failed', message: 'step 1 of verify failed', evidence: 8 };
}

function stepPhase(outcome: 'passed' | 'failed', durationMs: number): Phase {
  const passed = outcome === 'passed';
  return {
    outcome,
    durationMs,
    ...(passed ? {} : { message: 'step 1 of verify failed' }),
    steps: [
      {
        seq: 3,
        step: 1,
        kind: 'script',
        at: { file: 'tasks/task.yaml', line: 8 },
        passed,
        outcome,
        ...(passed ? {} : { message: 'the script ended with code 1' }),
        outputs: { stdout: passed ? 'fed\n' : 'hungry\n', exitCode: passed ? '0' : '1' },
        durationMs,
      },
    ],
  };
}

/** From 0 to 99, without a pattern that one sees. */
function noise(left: number, right: number): number {
  const mixed = Math.imul(left * 73_856_093 + right * 19_349_663 + 7, 2_654_435_761);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % 100;
}

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

/** What a test says of a task run of a report; the rest is usual. */
export interface IndexedRun {
  task?: string;
  run?: number;
  /** What was given, from 0, and the variant of its matrix. */
  source?: number;
  variant?: string | null;
  outcome?: Outcome;
  /** In rates; else of a re-run. */
  counts?: boolean;
  message?: string | null;
  category?: ReportIndex['taskRuns']['category'][number];
  durationMs?: number | null;
  calls?: number;
  tokens?: { input: number | null; output: number | null };
  cost?: number | null;
  /** `server/name`. */
  tools?: string[];
}

type IndexedTask = Partial<Omit<ReportIndex['tasks'][number], 'name' | 'path'>>;

/** Of the index of an HTML report what its overview filters, sorts and links by. */
type IndexOfRuns = Pick<ReportIndex, 'sources' | 'tasks' | 'servers' | 'tools' | 'taskRuns'> & {
  sets: { name: string; source: number; variant: string | null }[];
};

export function reportIndex(
  runs: readonly IndexedRun[],
  tasks: Readonly<Record<string, IndexedTask>> = {},
): IndexOfRuns {
  const taskNames = [...new Set(runs.map(({ task }) => task ?? 'a task'))];
  const toolNames = [...new Set(runs.flatMap(({ tools }) => tools ?? []))];
  const servers = [...new Set(toolNames.map((name) => name.split('/')[0] ?? ''))];
  const keys = [...new Set(runs.map(setKey))];
  const sets = keys.map((key) => {
    const [source, variant]: [number, string | null] = JSON.parse(key);
    return { name: variant ?? `source ${source}`, source, variant };
  });
  return {
    sources: [...new Set(sets.map(({ source }) => `source ${source}`))],
    sets,
    tasks: taskNames.map((name) => ({
      name,
      path: `tasks/${name}.yaml`,
      difficulty: null,
      labels: {},
      ...tasks[name],
    })),
    servers,
    tools: toolNames.map((name) => {
      const [server = '', ...rest] = name.split('/');
      return { server: servers.indexOf(server), kind: 'tool', name: rest.join('/') };
    }),
    taskRuns: {
      set: runs.map((run) => keys.indexOf(setKey(run))),
      task: runs.map(({ task }) => taskNames.indexOf(task ?? 'a task')),
      run: runs.map(({ run }) => run ?? 1),
      outcome: runs.map(({ outcome }) => outcome ?? 'passed'),
      counts: runs.map(({ counts }) => counts ?? true),
      category: runs.map(({ category }) => category ?? null),
      message: runs.map(({ message }) => message ?? null),
      startedAt: runs.map(() => null),
      durationMs: runs.map(({ durationMs }) => durationMs ?? null),
      calls: runs.map(({ calls }) => calls ?? 0),
      callErrors: runs.map(() => 0),
      suspectedErrors: runs.map(() => 0),
      inputTokens: runs.map(({ tokens }) => tokens?.input ?? null),
      outputTokens: runs.map(({ tokens }) => tokens?.output ?? null),
      cost: runs.map(({ cost }) => cost ?? null),
      tools: runs.map(({ tools }) => (tools ?? []).map((name) => toolNames.indexOf(name))),
      chunk: runs.map(() => 0),
      place: runs.map((_, place) => place),
    },
  };
}

function setKey({ source = 0, variant = null }: IndexedRun): string {
  return JSON.stringify([source, variant]);
}
