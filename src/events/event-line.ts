import type { JournalEvent } from './event.js';
import { oneLine } from './one-line.js';
import { RawJson } from './raw-json.js';

/** What is to stand in the line for a member, given its JSON. `isForeign`: it came over the wire. */
export type MemberEdit = (key: string, json: string, isForeign: boolean) => string;

/**
 * An event as one line of JSON, without the line break at its end. Raw JSON goes into it as it is:
 * it is never parsed and written again.
 */
export function eventLine(event: JournalEvent, edit?: MemberEdit): string {
  const { seq, at, type, ...rest } = event;
  let line = `{"seq":${seq},"at":${JSON.stringify(at)},"type":${JSON.stringify(type)}`;
  const members: [string, unknown][] = Object.entries(rest);
  for (const [key, value] of members) {
    const isForeign = value instanceof RawJson;
    const json = isForeign ? oneLine(value.text) : JSON.stringify(value);
    // Undefined, as in every JSON: the member is not there.
    if (json === undefined) continue;
    line += `,${JSON.stringify(key)}:${edit ? edit(key, json, isForeign) : json}`;
  }
  return `${line}}`;
}
