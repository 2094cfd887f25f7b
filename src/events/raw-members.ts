import type { EventBody } from './event.js';
import type { RawJson } from './raw-json.js';

type RawKeys<Event> = {
  [Key in keyof Event]-?: NonNullable<Event[Key]> extends RawJson ? Key : never;
}[keyof Event];

/** Does not compile while a type of event, or a raw member of one, is missing. */
const rawMembers: { [Event in EventBody as Event['type']]: Record<RawKeys<Event>, true> } = {
  'run-started': {},
  'run-resumed': {},
  'server-checked': { tools: true, resources: true, resourceTemplates: true, prompts: true },
  'task-run-started': {},
  'phase-started': {},
  'step-started': {},
  'step-ended': { args: true },
  'agent-output': { args: true },
  'mcp-message': { message: true },
  'mcp-call': { args: true, result: true, error: true },
  'phase-ended': {},
  'wait-started': {},
  'wait-ended': {},
  'assertion-checked': {},
  'task-run-ended': {},
  warning: {},
  'runs-decided': {},
  'run-ended': {},
};

const keysByType = new Map(
  Object.entries(rawMembers).map(([type, members]) => [type, new Set(Object.keys(members))]),
);

/** Members of a type of event that are kept as the text that came over the wire. */
export function rawMembersOf(type: string): ReadonlySet<string> {
  return keysByType.get(type) ?? none;
}

const none: ReadonlySet<string> = new Set();
