import type { RunEnded, RunResumed, RunStarted, RunsDecided, ServerChecked } from './run-events.js';
import type {
  AgentOutput,
  AssertionChecked,
  PhaseEnded,
  PhaseStarted,
  StepEnded,
  StepStarted,
  TaskRunEnded,
  TaskRunStarted,
  WaitEnded,
  WaitStarted,
} from './task-run-events.js';
import type { McpCall, McpMessage, Warning } from './traffic-events.js';

/** An event before the journal has given it its place. */
export type EventBody =
  | RunStarted
  | RunResumed
  | ServerChecked
  | TaskRunStarted
  | PhaseStarted
  | StepStarted
  | StepEnded
  | AgentOutput
  | McpMessage
  | McpCall
  | PhaseEnded
  | WaitStarted
  | WaitEnded
  | AssertionChecked
  | TaskRunEnded
  | RunsDecided
  | Warning
  | RunEnded;

/** An event of the journal: one line of it. */
export type JournalEvent = EventBody & {
  /** Counts up from 1 without gaps. */
  seq: number;
  /** Wall time, ISO 8601 with milliseconds. */
  at: string;
};

/** Takes events as they happen. */
export interface EventSink {
  /** Appends an event and tells its seq. */
  write(event: EventBody): number;
  /** While the sink is behind: settles when it can take more. Whoever produces events waits for it. */
  pressure(): Promise<void> | undefined;
  /** Takes the secrets out of a text that is cut before it is written: half of one is not found. */
  redact(text: string): string;
}
