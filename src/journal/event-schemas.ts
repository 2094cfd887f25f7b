import { eventDefinitions } from './event.js';
import { deriveReading, type EventReading } from './event-definition.js';
import type { LeftOut } from './left-out.js';
import { repairValue } from './repair.js';

const readings = new Map<string, EventReading | undefined>();

/** How events of a type are read; undefined if the type is not known. Schemas are built when they are first needed. */
function findReading(type: string): EventReading | undefined {
  if (readings.has(type)) return readings.get(type);
  const definition = eventDefinitions.find((each) => each.type === type);
  const reading = definition && deriveReading(definition);
  if (reading) readings.set(type, reading);
  return reading;
}

export function isKnownType(type: string): boolean {
  return findReading(type) !== undefined;
}

/** Leaves out of an event what is not what it should be. False if the event cannot be used at all. */
export function repairEvent(
  event: { type: string },
  place: string,
  onLeftOut: (part: LeftOut) => void,
): boolean {
  const reading = findReading(event.type);
  if (!reading?.schema) return true;
  const { schema, fallbacks } = reading;
  return repairValue(schema, event, { place: `${place}, `, onLeftOut, fallbacks });
}

const noMembers: ReadonlySet<string> = new Set();

/** Members of a type of event that are kept as the text that came over the wire. */
export function listRawMembers(type: string): ReadonlySet<string> {
  return findReading(type)?.raw ?? noMembers;
}

/** Whether events of a type can belong to a task run. */
export function canBelongToTaskRun(type: string): boolean {
  return eventDefinitions.some((each) => each.type === type && 'taskRun' in each.shape());
}
