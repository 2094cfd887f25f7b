import type {
  AssertionEntry,
  FailureEntry,
  StoryEntry,
} from '../../../analysis/story/story-entry.js';

/** Assertions are told together, and the failure stands on top. */
export type Event = Exclude<StoryEntry, AssertionEntry | FailureEntry>;

export interface LeftOut {
  kind: 'left-out';
  events: number;
  /** Calls among them that failed. */
  errors: number;
}

/**
 * At most so many events besides the phases. Of a long story the middle is left out: how it began
 * says what the agent was up to, and how it ended says more.
 */
export function shownEntries(events: readonly Event[], max: number): (Event | LeftOut)[] {
  const count = events.filter(({ kind }) => kind !== 'phase').length;
  if (count <= max) return [...events];
  const atStart = Math.floor(max / 3);
  const fromEnd = count - (max - atStart);
  const shown: (Event | LeftOut)[] = [];
  const leftOut: LeftOut = { kind: 'left-out', events: fromEnd - atStart, errors: 0 };
  let place = 0;
  for (const event of events) {
    if (event.kind === 'phase') {
      shown.push(event);
      continue;
    }
    if (place === atStart) shown.push(leftOut);
    if (place < atStart || place >= fromEnd) shown.push(event);
    else if (isError(event)) leftOut.errors += 1;
    place += 1;
  }
  return shown;
}

function isError(event: Event): boolean {
  return (
    event.kind === 'call' &&
    (event.call.isError || event.call.blocked || event.call.suspectedError !== undefined)
  );
}
