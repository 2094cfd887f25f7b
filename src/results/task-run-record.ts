import type { TaskRunResult } from './task-run-schema.js';

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
