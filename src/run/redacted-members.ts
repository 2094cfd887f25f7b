import type { Redactor } from '../config/redactor.js';
import type { MemberEdit } from '../events/event-line.js';

/**
 * Members whose values are Proctor's own words and numbers. A secret that happens to be one of these
 * words must not change what kind of event this is.
 */
const ownMembers: ReadonlySet<string> = new Set([
  'schema',
  'proctor',
  'command',
  'direction',
  'by',
  'kind',
  'code',
  'startedAt',
  'bytes',
  'tokens',
  'phase',
  'outcome',
  'process',
  'random',
]);

/** Takes the secrets out of what an event says. */
export function redactedMembers(redactor: Redactor): MemberEdit {
  return (key, json) => (ownMembers.has(key) ? json : redactor.json(json));
}
