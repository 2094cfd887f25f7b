import type { Outcome, PhaseEnded } from '../journal/task-run-events.js';
import type { ResultsHeader } from './results-header.js';
import type { TaskRunResult } from './schema/task-run-schema.js';

/**
 * A task run from any kind of results, in the shape that Proctor writes. What another kind of results
 * does not have is null.
 */
export type TaskRunRecord = TaskRunResult;

/** A task run that may still be running: then its outcome is null. */
export type TaskRunSoFar = Omit<TaskRunRecord, 'outcome'> & {
  outcome: TaskRunRecord['outcome'] | null;
};

type Phases = TaskRunRecord['phases'];

/** A step of setup, verify or cleanup. */
export type StepPhaseRecord = NonNullable<Phases['verify']>;
export type StepRecord = StepPhaseRecord['steps'][number];

/** What the agent reported of its own work. */
export type AgentPhaseRecord = NonNullable<Phases['agent']>;
export type AgentStepRecord = AgentPhaseRecord['steps'][number];

/** A call of a tool, a resource or a prompt. */
export type CallRecord = TaskRunRecord['calls'][number];

export type AssertionRecord = TaskRunRecord['assertions'][number];

/** Duration of a task run without the time it waited for limits of the check. Null: not known. */
export function computeWorkingTime({
  durationMs,
  waitedMs = 0,
}: Pick<TaskRunSoFar, 'durationMs' | 'waitedMs'>): number | null {
  return durationMs === null ? null : Math.max(0, durationMs - waitedMs);
}

/** Identifies a task run by the run that did it; merging results does not change it. */
export interface TaskRunOrigin {
  id: string;
  task: string;
  variant: string | null;
  run: number;
}

/** Origin of a task run; undefined if the results have no id. */
export function findOrigin(
  { id }: Pick<ResultsHeader, 'id'>,
  { task, variant, run, from }: Pick<TaskRunRecord, 'task' | 'variant' | 'run' | 'from'>,
): TaskRunOrigin | undefined {
  if (from) return { id: from.id, task, variant, run: from.run };
  return id === null ? undefined : { id, task, variant, run };
}

interface Verdict {
  outcome: Outcome | null;
  failure?: unknown;
  verified: boolean | null;
  assertionsHeld: boolean | null;
  assertions?: readonly { name: string; passed: boolean }[];
  phases?: { agent: Phase; verify: Phase };
}

type Phase = { outcome: PhaseEnded['outcome'] | null } | null;

/**
 * What contradicts the outcome `passed` of a record, such as a failed assertion. Undefined if nothing does,
 * or if the outcome is another one.
 */
export function findContradiction(verdict: Verdict): string | undefined {
  const { outcome, failure, verified, assertionsHeld, assertions = [], phases } = verdict;
  if (outcome !== 'passed') return undefined;
  if (verified === false) return '"passed" beside verified: false';
  if (assertionsHeld === false) return '"passed" beside assertionsHeld: false';
  if (failure !== undefined && failure !== null) return '"passed" beside a failure';
  for (const name of ['agent', 'verify'] as const) {
    const ended = phases?.[name]?.outcome ?? 'passed';
    if (ended !== 'passed') return `"passed" beside the outcome ${ended} of ${name}`;
  }
  const broken = assertions.find(({ passed }) => !passed);
  if (broken) return `"passed" beside the assertion ${broken.name}, which did not hold`;
  if (verified === null && assertionsHeld === null)
    return '"passed" beside nothing that was checked';
  return undefined;
}
