import type { Outcome, PhaseEnded } from '../events/task-run-events.js';
import type { ResultsHeader } from './results-header.js';
import type { TaskRunResult } from './schema/task-run-schema.js';

/**
 * A task run out of any kind of results, in the words of our own. What another kind does not tell is
 * null; what is ours is one as it stands in the file.
 */
export type TaskRunRecord = TaskRunResult;

/** One that may still be under way: then it has no outcome. */
export type TaskRunSoFar = Omit<TaskRunRecord, 'outcome'> & {
  outcome: TaskRunRecord['outcome'] | null;
};

type Phases = TaskRunRecord['phases'];

/** A step of setup, verify or cleanup. */
export type StepPhaseRecord = NonNullable<Phases['verify']>;
export type StepRecord = StepPhaseRecord['steps'][number];

/** What the agent did by its own account. */
export type AgentPhaseRecord = NonNullable<Phases['agent']>;
export type AgentStepRecord = AgentPhaseRecord['steps'][number];

/** A call of a tool, a resource or a prompt. */
export type CallRecord = TaskRunRecord['calls'][number];

export type AssertionRecord = TaskRunRecord['assertions'][number];

/** What a task run took, without the time that limits of the check made it wait. Null: not told. */
export function computeWorkingTime({
  durationMs,
  waitedMs = 0,
}: Pick<TaskRunSoFar, 'durationMs' | 'waitedMs'>): number | null {
  return durationMs === null ? null : Math.max(0, durationMs - waitedMs);
}

/** Which run of which evaluation a task run is, wherever it has got to since. */
export interface TaskRunOrigin {
  id: string;
  task: string;
  variant: string | null;
  run: number;
}

/** Undefined if the results have no id. */
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
 * What a task run that is said to have passed has beside it that no pass can have. Undefined: nothing, or
 * it is not said to have passed.
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
