import { RawJson, toSingleLine } from '../base/json-text.js';
import type { McpCall, McpMessage, Warning } from './mcp-events.js';
import type { RunEnded, RunResumed, RunStarted, RunsDecided, ServerChecked } from './run-events.js';
import type { AgentOutput, StepEnded, StepStarted } from './step-events.js';
import type {
  AssertionChecked,
  PhaseEnded,
  PhaseStarted,
  TaskRunEnded,
  TaskRunStarted,
  WaitEnded,
  WaitStarted,
} from './task-run-events.js';

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
  /** Appends an event and returns its seq. */
  write(event: EventBody): number;
  /** While the sink is behind: settles when it can take more. Producers of events wait for it. */
  pressure(): Promise<void> | undefined;
  /** Takes the secrets out of a text that is cut before it is written: half of one is not found. */
  redact(text: string): string;
}

/** What is to stand in the line for a member, given its JSON. `isForeign`: it came over the wire. */
export type MemberEdit = (key: string, json: string, isForeign: boolean) => string;

/**
 * An event as one line of JSON, without the line break at its end. Raw JSON goes into it as it is:
 * it is never parsed and written again.
 */
export function formatEventLine(event: JournalEvent, edit?: MemberEdit): string {
  const { seq, at, type, ...rest } = event;
  let line = `{"seq":${seq},"at":${JSON.stringify(at)},"type":${JSON.stringify(type)}`;
  const members: [string, unknown][] = Object.entries(rest);
  for (const [key, value] of members) {
    const isForeign = value instanceof RawJson;
    const json = isForeign ? toSingleLine(value.text) : JSON.stringify(value);
    // Undefined, as in every JSON: the member is not there.
    if (json === undefined) continue;
    line += `,${JSON.stringify(key)}:${edit ? edit(key, json, isForeign) : json}`;
  }
  return `${line}}`;
}
