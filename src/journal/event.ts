import { RawJson, toSingleLine } from '../base/json-text.js';
import type { EventFrom } from './event-definition.js';
import { mcpCall, mcpMessage, warning } from './mcp-events.js';
import { runEnded, runResumed, runStarted, runsDecided, serverChecked } from './run-events.js';
import { agentOutput, stepEnded, stepStarted } from './step-events.js';
import {
  assertionChecked,
  phaseEnded,
  phaseStarted,
  taskRunEnded,
  taskRunStarted,
  waitEnded,
  waitStarted,
} from './task-run-events.js';

/** Every type of event, in the order of the reference page. */
export const eventDefinitions = [
  runStarted,
  runResumed,
  serverChecked,
  taskRunStarted,
  phaseStarted,
  stepStarted,
  stepEnded,
  agentOutput,
  mcpMessage,
  mcpCall,
  phaseEnded,
  waitStarted,
  waitEnded,
  assertionChecked,
  taskRunEnded,
  runsDecided,
  warning,
  runEnded,
] as const;

/** An event before the journal has given it its `seq`. */
export type EventBody = EventFrom<(typeof eventDefinitions)[number]>;

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

/** Gives the JSON that stands in the line for a member, from the member's own. `isForeign`: it came over the wire. */
export type MemberEdit = (key: string, json: string, isForeign: boolean) => string;

/**
 * Formats an event as one line of JSON, without the line break at its end. Raw JSON goes into it as it is:
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
