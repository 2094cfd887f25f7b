import { existsSync, readFileSync } from 'node:fs';
import type { JournalEvent } from '../../src/journal/event.js';

/** The events of a journal that may still be written: a last line without its end does not count. */
export function journalEvents(file: string): JournalEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalEvent);
}

export function eventsOf<Type extends JournalEvent['type']>(
  file: string,
  type: Type,
): Extract<JournalEvent, { type: Type }>[] {
  const isWanted = (event: JournalEvent): event is Extract<JournalEvent, { type: Type }> =>
    event.type === type;
  return journalEvents(file).filter(isWanted);
}
