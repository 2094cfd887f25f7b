import type { PhaseName } from '../../journal/task-run-events.js';
import type {
  AssertionRecord,
  CallRecord,
  StepRecord,
  TaskRunRecord,
} from '../../results/task-run-record.js';

type Phases = TaskRunRecord['phases'];

/** The beginning of a phase. Times are in milliseconds since the task run began. */
export interface PhaseEntry {
  kind: 'phase';
  phase: PhaseName;
  /** The phases before it took so long. Null: nobody told. */
  startMs: number | null;
  durationMs: number | null;
  outcome: NonNullable<Phases['agent']>['outcome'];
  message?: string;
  details?: string;
}

/** A step of setup, verify or cleanup. */
export interface StepEntry {
  kind: 'step';
  phase: Exclude<PhaseName, 'agent'>;
  step: StepRecord;
}

/** What the judge said; the step it belongs to stands before it. */
export interface JudgementEntry {
  kind: 'judgement';
  judgement: NonNullable<StepRecord['judgement']>;
}

/** What the agent said or thought, or wrote about its own work. */
export interface AgentTextEntry {
  kind: 'message' | 'thinking' | 'log';
  seq: number;
  text: string;
}

/** A tool of the agent's own, or one of a server whose call was not recorded. */
export interface OwnCallEntry {
  kind: 'own-call';
  seq: number;
  tool: string;
  /** Undefined: it does not tell. */
  args?: unknown;
  /** Undefined: it does not tell what came back. */
  result?: { text: string; isError: boolean };
}

/** A call that a server got, or that was blocked on its way there. */
export interface CallEntry {
  kind: 'call';
  call: CallRecord;
  /** Null: nobody told. */
  startMs: number | null;
}

/** The agent's answer, where it is not what it said last. */
export interface AnswerEntry {
  kind: 'answer';
  text: string;
}

export interface WarningEntry {
  kind: 'warning';
  warning: TaskRunRecord['warnings'][number];
}

export interface AssertionEntry {
  kind: 'assertion';
  assertion: AssertionRecord;
}

export interface FailureEntry {
  kind: 'failure';
  failure: NonNullable<TaskRunRecord['failure']>;
}

/** One thing that happened in a task run. */
export type StoryEntry =
  | PhaseEntry
  | StepEntry
  | JudgementEntry
  | AgentTextEntry
  | OwnCallEntry
  | CallEntry
  | AnswerEntry
  | WarningEntry
  | AssertionEntry
  | FailureEntry;
