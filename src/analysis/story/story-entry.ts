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
  /** Sum of the durations of the phases before it. Null: not known. */
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

/** The verdict of a judge; it follows the entry of its step. */
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

/** A reported tool call that no record matches: of the agent's own tool, or of a server that was not recorded. */
export interface OwnCallEntry {
  kind: 'own-call';
  seq: number;
  tool: string;
  /** Undefined: the agent did not report them. */
  args?: unknown;
  /** Undefined: the agent did not report a result. */
  result?: { text: string; isError: boolean };
}

/** A recorded call, which reached its server or was blocked. */
export interface CallEntry {
  kind: 'call';
  call: CallRecord;
  /** Null: not known. */
  startMs: number | null;
}

/** The agent's answer, if it differs from its last message. */
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
